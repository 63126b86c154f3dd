import { openFrameStream, probeVideo } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import { collect, ffmpeg, frameTimes, h264, movingImage, temporaryFolder, tone, tools } from "./videos.ts";

const folder = temporaryFolder();
const image = { width: 16, height: 9, minGapSeconds: 0 };
// Frames 10..30 of each 48 are missing, and the rest is late by 0..28 ms: hardly two gaps are equal.
const unevenFrames = "select='not(between(mod(n,48),10,30))',settb=1/1000,setpts='PTS+mod(N*N,29)'";

/** Videos of an image and a tone of four seconds, and the options of their encoders. */
const plain: Record<string, string[]> = {
  "plain.mp4": h264,
  "plain.mov": h264,
  "plain.ts": h264,
  "plain.m2ts": h264,
  "plain.webm": ["-an", "-c:v", "libvpx", "-b:v", "200k", "-cpu-used", "8"],
  "plain.avi": ["-an", "-c:v", "mpeg4"],
  "packed-b-frames.avi": ["-an", "-c:v", "mpeg4", "-bf", "2"],
  "plain.flv": ["-c:v", "flv", "-ar", "44100"],
  "plain.mpg": ["-c:v", "mpeg1video"],
  "plain.vob": ["-c:v", "mpeg2video"],
  "plain.wmv": ["-c:v", "wmv2"],
  "plain.gif": ["-vf", "fps=10,scale=80:45"],
  "late-start.mkv": [...h264, "-output_ts_offset", "7.5"],
  "late-start.ts": [...h264, "-output_ts_offset", "3600"],
  "uneven.mkv": ["-an", "-vf", unevenFrames, "-vsync", "vfr", ...h264],
  "uneven.mp4": ["-an", "-vf", unevenFrames, "-vsync", "vfr", "-enc_time_base", "1/90000", ...h264],
};
const others: Record<string, string[]> = {
  "plain.mkv": [...movingImage(2, "160x90", "24000/1001"), ...tone(2), ...h264],
  "plain.rmvb": [...movingImage(2, "160x96"), "-c:v", "rv20", "-f", "rm"],
  // Audio starts 1.2 s before the frames: zero is the start of the container, not of its frames.
  "late-pictures.ts": [...tone(3), "-itsoffset", "1.2", ...movingImage(2), ...h264],
  "late-pictures.mp4": [...tone(3), "-itsoffset", "1.2", ...movingImage(2), ...h264],
};
const names = [...Object.keys(plain), ...Object.keys(others)];

beforeAll(async () => {
  const outputs = Object.entries(plain).flatMap(([name, args]) => [...args, folder.path(name)]);
  await ffmpeg(...movingImage(4), ...tone(4), ...outputs);
  for (const [name, args] of Object.entries(others)) await ffmpeg(...args, folder.path(name));
});

describe("frame times", () => {
  it.each(names)("equal those of ffprobe for %s", async (name) => {
    const file = folder.path(name);
    const expected = await frameTimes(file);
    const frames = await collect(openFrameStream(tools, file, image));
    expect(expected.length).toBeGreaterThan(15);
    expect(frames.map((frame) => frame.atSeconds.toFixed(4))).toEqual(expected.map((at) => at.toFixed(4)));
  });

  it("exclude only frames that follow too soon", async () => {
    const file = folder.path("uneven.mkv");
    const selected: number[] = [];
    for (const at of await frameTimes(file))
      if (at - (selected.at(-1) ?? -9) > 0.1 - 0.001) selected.push(at);
    const frames = await collect(openFrameStream(tools, file, { ...image, minGapSeconds: 0.1 }));
    expect(frames.map((frame) => frame.atSeconds.toFixed(3))).toEqual(selected.map((at) => at.toFixed(3)));
  });

  it("include twelve of 24 per second although containers round to milliseconds", async () => {
    const frames = await collect(
      openFrameStream(tools, folder.path("plain.mkv"), { ...image, minGapSeconds: 1 / 12 }),
    );
    expect(frames.length).toBe(24);
  });

  it("include the duration of the container", async () => {
    expect((await probeVideo(tools, folder.path("plain.ts"))).durationSeconds).toBeCloseTo(4, 0);
    expect(await probeVideo(tools, folder.path("plain.mp4"))).toMatchObject({
      width: 160,
      height: 90,
      videoCodec: "h264",
      hasAudio: true,
      framesPerSecond: 24,
    });
    expect((await probeVideo(tools, folder.path("plain.gif"))).hasAudio).toBe(false);
  });
});
