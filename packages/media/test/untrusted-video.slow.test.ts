import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import {
  extractStill,
  isVideoFile,
  limitTools,
  probeVideo,
  ToolStoppedError,
  UnreadableVideoError,
  withUntrustedVideo,
} from "@koma/media";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ffmpeg, h264, movingImage, temporaryFolder, tone, tools } from "./videos.ts";

const folder = temporaryFolder();
const timeoutMs = 300_000;
const still = { atSeconds: 0.5, width: 80 };
let mp4: Buffer;

// Tests of other packages store videos in the shared folder at the same time.
const sharedFolder = process.env.TMPDIR;
beforeAll(async () => {
  await mkdir(folder.path("tmp"));
  process.env.TMPDIR = folder.path("tmp");
  const sounds = [...movingImage(2), ...tone(2), ...h264, "-c:a", "aac", folder.path("aac.mp4")];
  const vorbis = ["-c:v", "libvpx", "-c:a", "libvorbis", folder.path("vorbis.webm")];
  const opus = ["-c:v", "libvpx", "-c:a", "libopus", folder.path("libopus.webm")];
  const mp3 = [...h264, "-c:a", "libmp3lame", folder.path("libmp3lame.mkv")];
  await ffmpeg(...sounds, ...vorbis, ...opus, ...mp3, ...["-an", "-c:v", "ffv1", folder.path("rare.mkv")]);
  await ffmpeg(...movingImage(1, "1920x1080"), ...h264, folder.path("large.mp4"));
  mp4 = await readFile(folder.path("aac.mp4"));
});
afterAll(() => {
  if (sharedFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = sharedFolder;
});

const listTemporary = () => readdir(folder.path("tmp"));

/** Writes a program that is used in place of ffmpeg or ffprobe. It has no PATH. */
async function writeTool(name: string, script: string): Promise<string> {
  const file = folder.path(name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

test("recognises MP4 and WebM by their content", async () => {
  expect(isVideoFile(mp4)).toBe(true);
  expect(isVideoFile(Buffer.from("\0\0\0\x14ftypqt  \0\0\x02\0qt  ", "latin1"))).toBe(true);
  expect(isVideoFile(await readFile(folder.path("vorbis.webm")))).toBe(true);
  expect(isVideoFile(await readFile(folder.path("rare.mkv")))).toBe(false);
  for (const brand of ["avif", "avis", "heic", "mif1", "msf1", "crx "]) {
    expect(isVideoFile(Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mp42`))).toBe(false);
  }
  for (const text of ["", "ftyp", "\0\0\0\x08ftyp", "\x1aE\xdf\xa3"]) {
    expect(isVideoFile(Buffer.from(text, "latin1"))).toBe(false);
  }
});

test.each(["aac.mp4", "vorbis.webm"])(
  "returns the length and the frames of %s, and deletes its file",
  async (name) => {
    const bytes = await readFile(folder.path(name));
    const found = await withUntrustedVideo(tools, bytes, { timeoutMs }, async (video) => ({
      ...video,
      still: await video.extractStill(still),
      last: await video.extractStill({ atSeconds: 99, width: 80 }),
    }));
    expect(found.durationSeconds).toBeCloseTo(2, 0);
    expect(found.endSeconds).toBeCloseTo(2, 0);
    expect(found.still.subarray(0, 2).toString("hex")).toBe("ffd8");
    expect(found.last.equals(found.still)).toBe(false);
    expect(await listTemporary()).toEqual([]);
  },
);

test("measures the length of a recording that does not state it", async () => {
  const file = folder.path("live.webm");
  // A browser writes a recording as a stream: without a duration and an index.
  await ffmpeg(...movingImage(3), "-c:v", "libvpx", "-live", "1", "-f", "webm", file);
  const bytes = await readFile(file);
  const video = await withUntrustedVideo(tools, bytes, { timeoutMs }, async (one) => one);
  expect(video.endSeconds).toBeGreaterThan(2.5);
  expect(video.endSeconds).toBeLessThan(3.5);
  expect(video.durationSeconds).toBeGreaterThan(2.5);
});

test("throws UnreadableVideoError for damaged bytes and after its time", async () => {
  const cut = withUntrustedVideo(tools, mp4.subarray(0, 2000), { timeoutMs }, async () => undefined);
  await expect(cut).rejects.toThrow(UnreadableVideoError);
  const late = withUntrustedVideo(tools, mp4, { timeoutMs: 1 }, (video) => video.extractStill(still));
  await expect(late).rejects.toThrow("decoding takes too long");

  expect(await listTemporary()).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "kills ffmpeg on abort and decodes one video at a time",
  async () => {
    const seen = folder.path("pids");
    // A decoder that does not end.
    const ffmpegPath = await writeTool("stuck.sh", `echo $$ >> '${seen}'\nexec /bin/sleep 600`);
    const stopping = new AbortController();
    const options = { timeoutMs: 600_000, signal: stopping.signal };
    const first = withUntrustedVideo({ ...tools, ffmpegPath }, mp4, options, (video) =>
      video.extractStill(still),
    );
    const second = withUntrustedVideo(tools, mp4, { timeoutMs }, (video) => video.extractStill(still));
    let hasEnded = false;
    second.finally(() => {
      hasEnded = true;
    });
    await expect.poll(() => stat(seen).catch(() => undefined)).toBeDefined();
    await expect.poll(() => readFile(seen, "utf8")).toMatch(/^\d+\n$/);
    const pid = Number(await readFile(seen, "utf8"));
    expect(process.kill(pid, 0)).toBe(true);
    expect(hasEnded).toBe(false);
    stopping.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    // The process has exited before the result: its folder is deleted.
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect((await second).length).toBeGreaterThan(0);
    expect(await listTemporary()).toEqual([]);
  },
);

test.skipIf(process.platform === "win32")("does not blame the video for a stop from outside", async () => {
  // As with Ctrl+C and systemd, the tool receives the signal; ffmpeg catches it, ffprobe does not.
  const stopped = await writeTool("stopped.sh", "kill -TERM $$");
  const note = "[info] Exiting normally, received signal 2.";
  const caught = await writeTool("caught.sh", `echo '${note}' >&2\nexit 255`);
  for (const changed of [{ ffprobePath: stopped }, { ffmpegPath: stopped }, { ffmpegPath: caught }]) {
    const use = withUntrustedVideo({ ...tools, ...changed }, mp4, { timeoutMs }, (video) =>
      video.extractNextStill(still),
    );
    await expect(use).rejects.toThrow(ToolStoppedError);
  }
});

test("returns the next frame for a time between two, with its time, and the last one after the end", async () => {
  await withUntrustedVideo(tools, mp4, { timeoutMs }, async (video) => {
    const next = await video.extractNextStill({ atSeconds: 0.51, width: 80 });
    expect(next.atSeconds).toBeCloseTo(13 / 24, 4);
    expect(next.image.equals(await video.extractStill({ atSeconds: next.atSeconds, width: 80 }))).toBe(true);
    const last = await video.extractNextStill({ atSeconds: 99, width: 80 });
    expect(last.image.equals(await video.extractStill({ atSeconds: 99, width: 80 }))).toBe(true);
  });
});

describe("limits", () => {
  const limits = { memoryBytes: 1024 ** 3, cpuSeconds: 20, pixels: 4096 * 2304 };
  const limited = limitTools(tools, limits);

  test.each(["large.mp4", "libmp3lame.mkv", "libopus.webm"])(
    "%s within them returns its frame",
    async (name) => {
      const image = await extractStill(limited, folder.path(name), still);
      expect(image.subarray(0, 2).toString("hex")).toBe("ffd8");
    },
  );

  test.each([
    ["too many pixels", "large.mp4", { pixels: 320 * 180 }],
    // The kernel stops the tool.
    ...(process.platform === "linux"
      ? [["too little memory", "large.mp4", { memoryBytes: 48 << 20 }] as const]
      : []),
    ["a codec that chats do not use", "rare.mkv", {}],
  ] as const)("rejects %s", async (_name, file, less) => {
    const stricter = limitTools(tools, { ...limits, ...less });
    await expect(extractStill(stricter, folder.path(file), still)).rejects.toThrow(UnreadableVideoError);
    if (file === "rare.mkv")
      expect(await extractStill(tools, folder.path(file), still)).toBeInstanceOf(Buffer);
  });

  test.skipIf(process.platform === "win32")("hide the environment from the tool", async () => {
    const seen = folder.path("seen");
    const ffprobePath = await writeTool("env.sh", `/usr/bin/env > '${seen}'\nexit 1`);
    process.env.KOMA_TEST_SECRET_OF_BOT = "token";
    try {
      const probing = probeVideo(limitTools({ ...tools, ffprobePath }, limits), folder.path("rare.mkv"));
      await expect(probing).rejects.toThrow(UnreadableVideoError);
    } finally {
      delete process.env.KOMA_TEST_SECRET_OF_BOT;
    }
    const names = (await readFile(seen, "utf8")).split("\n").map((line) => line.split("=")[0]);
    const ofShell = ["PWD", "SHLVL", "_", "OLDPWD", ""];
    const own = ["AV_LOG_FORCE_NOCOLOR", "GCONV_PATH"];
    expect(names.filter((name) => !ofShell.includes(name ?? "")).sort()).toEqual(own);
  });
});
