import { readdir, readFile, writeFile } from "node:fs/promises";
import { cutClip, extractStill, openFrameStream, probeVideo, UnreadableVideoError } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import {
  collect,
  difference,
  ffmpeg,
  frameTimes,
  h264,
  movingImage,
  rgbFrames,
  temporaryFolder,
  tone,
  tools,
} from "./videos.ts";

const folder = temporaryFolder();
const size = { width: 160, height: 90 };
// Red, then moving content, then blue, two seconds each: a frame of a neighbouring shot is detected.
const threeShots = [
  ...["-f", "lavfi", "-i", "color=red:size=160x90:rate=24:duration=2", ...movingImage(2)],
  ...["-f", "lavfi", "-i", "color=blue:size=160x90:rate=24:duration=2"],
];
const joined = ["-filter_complex", "[0][1][2]concat=n=3"];
const uneven = [
  "-filter_complex",
  "[0][1][2]concat=n=3,settb=1/1000,setpts='PTS+mod(N*N,29)'",
  "-vsync",
  "vfr",
];
const videos: Record<string, string[]> = {
  "shots.mp4": [...threeShots, ...tone(6), ...joined, ...h264],
  "long-group.mkv": [...threeShots, ...joined, ...h264, "-g", "1000", "-sc_threshold", "0"],
  "uneven.mkv": [...threeShots, ...tone(6), ...uneven, ...h264],
  "late.ts": [...threeShots, ...tone(6), ...joined, ...h264, "-output_ts_offset", "100"],
  "shots.avi": [...threeShots, ...joined, "-c:v", "mpeg4", "-q:v", "2"],
  "shots.flv": [...threeShots, ...joined, "-c:v", "flv", "-q:v", "2"],
  "shots.gif": [...threeShots, ...joined, "-r", "10"],
};

beforeAll(async () => {
  for (const [name, args] of Object.entries(videos)) await ffmpeg(...args, folder.path(name));
});

describe("stills and clips", () => {
  /** The pixels of the stills at these times. */
  const stills = async (file: string, times: readonly number[]) => {
    for (const [at, atSeconds] of times.entries()) {
      const image = await extractStill(tools, file, { atSeconds, width: size.width });
      await writeFile(folder.path(`still-${at}.jpg`), image);
    }
    const frames = await rgbFrames(folder.path("still-%d.jpg"), size.width, size.height);
    return frames.slice(0, times.length);
  };
  // Times of previews are rounded to milliseconds.
  const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

  it.each(Object.keys(videos))(
    "the stills of %s are its frames, and the clip of a shot has no other",
    async (name) => {
      const file = folder.path(name);
      const stream = await collect(openFrameStream(tools, file, { ...size, minGapSeconds: 0 }));
      const last = stream.length - 1;
      const chosen = [Math.round(last * 0.42), last];
      const times = chosen.map((at) => rounded(stream[at]?.atSeconds ?? Number.NaN));
      for (const [at, pixels] of (await stills(file, times)).entries()) {
        const distances = stream.map((other) => difference(other.pixels, pixels));
        const best = Math.min(...distances);
        expect(distances[chosen[at] ?? 0], `frame ${chosen[at]}`).toBeLessThan(Math.max(best + 0.3, 0.5));
        expect(best).toBeLessThan(12);
      }

      const shot = stream.filter((frame) => !isPlain(frame.pixels));
      const [fromSeconds = 0, toSeconds = 0] = [shot[0], shot.at(-1)].map((frame) => frame?.atSeconds);
      const outputFile = folder.path("clip.mp4");
      const bounds = { fromSeconds: rounded(fromSeconds), toSeconds: rounded(toSeconds) };
      await cutClip(tools, file, { ...bounds, height: 90, isMuted: false, outputFile });
      const frames = await rgbFrames(outputFile, size.width, size.height);
      expect(frames.length).toBe(shot.length);
      expect(frames.filter(isPlain).length).toBe(0);
      for (const [i, frame] of frames.entries()) {
        expect(difference(frame, shot[i]?.pixels ?? new Uint8Array())).toBeLessThan(20);
      }
      for (const [i, at] of (await frameTimes(outputFile)).entries()) {
        expect(at).toBeCloseTo((shot[i]?.atSeconds ?? Number.NaN) - fromSeconds, 2);
      }
      const hasSound = ["shots.mp4", "uneven.mkv", "late.ts"].includes(name);
      const info = await probeVideo(tools, outputFile);
      expect(info).toMatchObject({ ...size, videoCodec: "h264", hasAudio: hasSound });
      expect(Math.abs(info.durationSeconds - (toSeconds - fromSeconds))).toBeLessThan(0.15);
    },
  );

  it("the still between two frames is the displayed one; beyond the ends, the nearest", async () => {
    const file = folder.path("shots.gif");
    const times = await frameTimes(file);
    const frames = await rgbFrames(file, size.width, size.height);
    const between = ((times[29] ?? 0) + (times[30] ?? 0)) / 2;
    const shown = [frames[29], frames.at(-1), frames[0]];
    for (const [at, pixels] of (await stills(file, [between, 999, -5])).entries())
      expect(difference(pixels, shown[at] ?? new Uint8Array())).toBeLessThan(12);
  });

  it("a still is not enlarged", async () => {
    const bytes = await extractStill(tools, folder.path("shots.mp4"), { atSeconds: 1, width: 4000 });
    expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    // Height and width follow the length and the precision in the frame header.
    const header = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    expect([bytes.readUInt16BE(header + 7), bytes.readUInt16BE(header + 5)]).toEqual([160, 90]);
  });

  it("a clip can be smaller and muted, and its index is in front", async () => {
    const outputFile = folder.path("small-clip.mp4");
    const options = { fromSeconds: 0, toSeconds: 1, height: 45, isMuted: true, outputFile };
    await cutClip(tools, folder.path("shots.mp4"), options);
    expect(await probeVideo(tools, outputFile)).toMatchObject({ width: 80, height: 44, hasAudio: false });
    const bytes = await readFile(outputFile);
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  });

  it("a failed clip leaves no file", async () => {
    const options = { fromSeconds: 50, toSeconds: 52, height: 90, isMuted: true };
    const outputFile = folder.path("never.mp4");
    const making = cutClip(tools, folder.path("shots.mp4"), { ...options, outputFile });
    await expect(making).rejects.toThrow(UnreadableVideoError);
    const stop = new AbortController();
    const stopped = cutClip(tools, folder.path("shots.mp4"), {
      ...options,
      fromSeconds: 0,
      outputFile,
      signal: stop.signal,
    });
    stop.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    expect((await readdir(folder.path("."))).filter((name) => /never|part$/.test(name))).toEqual([]);
  });
});

/** True for a red or blue frame. */
function isPlain(pixels: Uint8Array): boolean {
  const first = pixels.subarray(0, 3);
  return pixels.every((value, i) => Math.abs(value - (first[i % 3] ?? 0)) < 90);
}
