import { copyFile, mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { openFrameStream, UnreadableVideoError } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import { collect, ffmpeg, h264, movingImage, temporaryFolder, tone, tools } from "./videos.ts";

const folder = temporaryFolder();
const image = { width: 16, height: 9, minGapSeconds: 0.08 };

beforeAll(async () => {
  await ffmpeg(...movingImage(20, "320x180"), ...h264, folder.path("whole.mp4"));
  const copies = ["whole.mkv", "whole.flv", "whole.avi"].flatMap((name) => ["-c", "copy", folder.path(name)]);
  const indexFirst = ["-c", "copy", "-movflags", "+faststart", folder.path("index-first.mp4")];
  await ffmpeg("-i", folder.path("whole.mp4"), ...copies, ...indexFirst);
  for (const name of ["whole.mp4", "index-first.mp4", "whole.mkv", "whole.flv", "whole.avi"]) {
    const cut = folder.path(`cut-${name}`);
    await copyFile(folder.path(name), cut);
    await truncate(cut, Math.floor((await readFile(cut)).length * 0.4));
  }
  await writeFile(folder.path("empty.mkv"), "");
  await writeFile(folder.path("text.mp4"), "This is not a video.\n".repeat(1000));
  await writeFile(
    folder.path("noise.mkv"),
    Buffer.from(Array.from({ length: 1e5 }, (_, i) => (i * i * 31) >> 3)),
  );
  await ffmpeg(
    ...[...tone(2), ...movingImage(1), "-map", "0", folder.path("sound.mp4"), "-map", "0", "-map", "1"],
    ...["-frames:v", "1", "-c:v", "png", "-disposition:v:0", "attached_pic"],
    folder.path("sound-with-cover.m4v"),
  );
  await mkdir(folder.path("folder.mkv"));
  // A playlist with the name of a video must not make ffmpeg open other files (or addresses).
  await ffmpeg(...movingImage(2), ...h264, folder.path("secret.ts"));
  await writeFile(
    folder.path("playlist.mp4"),
    `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${folder.path("secret.ts")}\n#EXT-X-ENDLIST\n`,
  );
  await writeFile(folder.path("script.mp4"), `ffconcat version 1.0\nfile secret.ts\n`);
  await damageMiddle(folder.path("whole.mkv"), folder.path("damaged.mkv"));
});

describe("damaged videos", () => {
  // It depends on the version of ffmpeg which of its containers it tries.
  const noVideo = /^(?:it is no video|not a video of a supported container)/;
  const rejected = {
    "missing.mkv": "the file does not exist",
    "empty.mkv": "the file is empty",
    "folder.mkv": "not a file",
    "text.mp4": noVideo,
    "noise.mkv": "it is no video, or its start is damaged",
    "cut-whole.mp4": "it is no video, or its end is missing: copy or download it again",
    "sound.mp4": "it has no video",
    "sound-with-cover.m4v": "it has no video",
    "playlist.mp4": noVideo,
    "script.mp4": noVideo,
  };
  it.each(Object.entries(rejected))("rejects %s", async (name, reason) => {
    const file = folder.path(name);
    const error = await collect(openFrameStream(tools, file, image)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnreadableVideoError);
    if (!(error instanceof UnreadableVideoError)) return;
    expect(error.reason).toMatch(reason);
    expect(error.reason).not.toContain("koma-media-");
    expect(error.message).toContain(file);
  });

  it.each(["cut-index-first.mp4", "cut-whole.mkv", "cut-whole.flv", "cut-whole.avi"])(
    "delivers the frames of %s, then throws that it ends early",
    async (name) => {
      let lastAt = 0;
      const reading = async () => {
        for await (const frame of openFrameStream(tools, folder.path(name), image)) lastAt = frame.atSeconds;
      };
      await expect(reading()).rejects.toThrow(/it ends after [\d.]+ of 20\.\d s/);
      expect(lastAt).toBeGreaterThan(5);
      expect(lastAt).toBeLessThan(15);
    },
  );

  it("skips a damaged part in the middle", async () => {
    const frames = await collect(openFrameStream(tools, folder.path("damaged.mkv"), image));
    expect(frames.at(-1)?.atSeconds).toBeGreaterThan(19.5);
    expect(frames.length).toBeGreaterThan(150);
  });

  it("accepts a longer subtitle or audio stream", async () => {
    const names = ["long-sound.mkv", "long-sound.mp4"];
    const outputs = names.flatMap((name) => [...h264, folder.path(name)]);
    await ffmpeg(...movingImage(2), ...tone(40), ...outputs);
    for (const name of names) {
      const frames = await collect(openFrameStream(tools, folder.path(name), image));
      expect(frames.length).toBe(24);
    }
  });

  it("reads a recording whose size changes in the middle, and whose parts overlap", async () => {
    await ffmpeg(...movingImage(2, "320x180"), ...h264, "-output_ts_offset", "1.9", folder.path("second.ts"));
    await writeFile(
      folder.path("two-sizes.ts"),
      Buffer.concat([await readFile(folder.path("secret.ts")), await readFile(folder.path("second.ts"))]),
    );
    const frames = await collect(openFrameStream(tools, folder.path("two-sizes.ts"), image));
    expect(frames.at(-1)?.atSeconds).toBeGreaterThan(3.7);
    expect(frames.length).toBeGreaterThan(40);
  });

  it("throws when times decrease", async () => {
    const part = await readFile(folder.path("secret.ts"));
    await writeFile(folder.path("joined.ts"), Buffer.concat([part, part]));
    await expect(collect(openFrameStream(tools, folder.path("joined.ts"), image))).rejects.toThrow(
      "its times decrease at 1.9 s",
    );
  });
});

async function damageMiddle(from: string, to: string): Promise<void> {
  const bytes = await readFile(from);
  const middle = Math.floor(bytes.length / 2);
  for (let i = 0; i < 4000; i++) bytes[middle + i] = (i * 7919) & 255;
  await writeFile(to, bytes);
}
