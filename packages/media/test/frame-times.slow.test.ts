import { openFrameStream, probeVideo } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import { collect, ffmpeg, frameTimes, h264, movingImage, temporaryFolder, tone, tools } from "./videos.ts";

const folder = temporaryFolder();
const image = { width: 16, height: 9, minGapSeconds: 0 };
// Frames 10..30 of each 48 are missing, and the rest is late by 0..28 ms: hardly two gaps are equal.
const unevenFrames = "select='not(between(mod(n,48),10,30))',settb=1/1000,setpts='PTS+mod(N*N,29)'";

const videos: Record<string, string[]> = {
  "plain.mp4": [...movingImage(3), ...tone(3), ...h264],
  "plain.m4v": [...movingImage(2), ...h264],
  "plain.mov": [...movingImage(2), ...tone(2), ...h264],
  "plain.mkv": [...movingImage(2, "160x90", "24000/1001"), ...tone(2), ...h264],
  "plain.webm": [...movingImage(1), "-c:v", "libvpx", "-b:v", "200k", "-cpu-used", "8"],
  "plain.avi": [...movingImage(2), "-c:v", "mpeg4"],
  "packed-b-frames.avi": [...movingImage(2), "-c:v", "mpeg4", "-bf", "2"],
  "plain.flv": [...movingImage(2), ...tone(2), "-c:v", "flv", "-ar", "44100"],
  "plain.ts": [...movingImage(2), ...tone(2), ...h264],
  "plain.m2ts": [...movingImage(2), ...tone(2), ...h264],
  "plain.mpg": [...movingImage(2), ...tone(2), "-c:v", "mpeg1video"],
  "plain.vob": [...movingImage(2), ...tone(2), "-c:v", "mpeg2video"],
  "plain.wmv": [...movingImage(2), ...tone(2), "-c:v", "wmv2"],
  "plain.rmvb": [...movingImage(2, "160x96"), "-c:v", "rv20", "-f", "rm"],
  "plain.3gp": [...movingImage(2), ...h264],
  "plain.gif": [...movingImage(2, "80x45", "10")],
  "uneven.mkv": [...movingImage(4), "-vf", unevenFrames, "-vsync", "vfr", ...h264],
  "uneven.mp4": [
    ...movingImage(4),
    "-vf",
    unevenFrames,
    "-vsync",
    "vfr",
    "-enc_time_base",
    "1/90000",
    ...h264,
  ],
  "late-start.mkv": [...movingImage(2), ...tone(2), ...h264, "-output_ts_offset", "7.5"],
  "late-start.ts": [...movingImage(2), ...tone(2), ...h264, "-output_ts_offset", "3600"],
  // Audio starts 1.2 s before the frames: zero is the start of the container, not of its frames.
  "late-pictures.ts": [...tone(3), "-itsoffset", "1.2", ...movingImage(2), ...h264],
  "late-pictures.mp4": [...tone(3), "-itsoffset", "1.2", ...movingImage(2), ...h264],
};

beforeAll(async () => {
  for (const [name, args] of Object.entries(videos)) await ffmpeg(...args, folder.path(name));
});

describe("frame times", () => {
  it.each(Object.keys(videos))("equal those of ffprobe for %s", async (name) => {
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
    expect((await probeVideo(tools, folder.path("plain.ts"))).durationSeconds).toBeCloseTo(2, 0);
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
