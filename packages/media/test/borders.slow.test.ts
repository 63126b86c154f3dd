import { findBorders, openFrameStream, probeVideo, UnreadableVideoError } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import { collect, difference, ffmpeg, h264, movingImage, temporaryFolder, tools } from "./videos.ts";

const folder = temporaryFolder();
const none = { left: 0, top: 0, right: 0, bottom: 0 };
const pillars = "pad=320:180:40:0";
const sides = "drawbox=0:0:40:180:black:fill,drawbox=280:0:40:180:black:fill";

/** A bright spot that moves around the middle of a black frame. */
const lamp =
  "nullsrc=size=320x180:rate=24:duration=12,geq=lum='16+200*exp(-((X-160-20*sin(T))^2+(Y-90)^2)/900)':cb=128:cr=128";

const videos: Record<string, string[]> = {
  "bare.mp4": [...movingImage(12, "240x180"), ...h264],
  "full.mp4": [...movingImage(12, "320x180"), ...h264],
  "pillars.mp4": [...movingImage(12, "240x180"), "-vf", pillars, ...h264],
  "late-pillars.ts": [
    ...movingImage(12, "240x180"),
    ...["-vf", pillars, ...h264, "-output_ts_offset", "3600"],
  ],
  "uneven-pillars.mkv": [
    ...movingImage(16, "240x180"),
    ...["-vf", `select='not(between(mod(n,48),10,30))',settb=1/1000,setpts='PTS+mod(N*N,29)',${pillars}`],
    ...["-vsync", "vfr", ...h264],
  ],
  "letterbox.mkv": [...movingImage(12, "320x134"), "-vf", "pad=320:180:0:22", ...h264],
  "window.mp4": [...movingImage(12, "240x134"), "-vf", "pad=320:180:60:30", ...h264],
  "turned.mp4": [...movingImage(12, "180x240"), "-vf", "pad=180:320:0:40", ...h264],
  "wide-pixels.mkv": [...movingImage(12, "180x180"), "-vf", "pad=240:180:30:0,setsar=4/3", ...h264],
  "thin.mp4": [...movingImage(12, "312x180"), "-vf", "pad=320:180:4:0", ...h264],
  // A third of the video is wider; one second in twelve is, too.
  "changing.mp4": [
    ...movingImage(12, "320x180"),
    ...["-vf", sides.replaceAll("fill", "fill:enable='lt(t,8)'"), ...h264],
  ],
  "wide-second.mp4": [
    ...movingImage(12, "320x180"),
    ...["-vf", sides.replaceAll("fill", "fill:enable='not(between(t,5,6.5))'"), ...h264],
  ],
  "mostly-dark.mp4": [
    ...movingImage(12, "240x180"),
    ...["-vf", `eq=brightness=-1:enable='lt(t,9)',${pillars}`, ...h264],
  ],
  "lamp.mp4": ["-f", "lavfi", "-i", lamp, ...h264],
  "black.mp4": ["-f", "lavfi", "-i", "color=black:size=320x180:rate=24:duration=12", ...h264],
  // One key frame: the remaining frames may contain other content.
  "short.mp4": [...movingImage(3, "240x180"), "-vf", pillars, ...h264, "-g", "999"],
  "pillars.gif": [...movingImage(3, "240x180", "10"), "-vf", pillars],
};

beforeAll(async () => {
  for (const [name, args] of Object.entries(videos)) await ffmpeg(...args, folder.path(name));
  const turn = ["-c", "copy", "-metadata:s:v:0", "rotate=90"];
  await ffmpeg("-i", folder.path("turned.mp4"), ...turn, folder.path("turned-pillars.mp4"));
});

describe("borders", () => {
  const find = (name: string) => findBorders(tools, folder.path(name));

  it.each(["pillars.mp4", "late-pillars.ts", "uneven-pillars.mkv", "turned-pillars.mp4", "wide-pixels.mkv"])(
    "finds the bars at the sides of %s",
    async (name) => {
      const { left, top, right, bottom } = await find(name);
      for (const side of [left, right]) expectJustBelow(side, 1 / 8);
      expect([top, bottom]).toEqual([0, 0]);
    },
  );

  it("finds bars above and below", async () => {
    const { left, top, right, bottom } = await find("letterbox.mkv");
    expectJustBelow(top, 22 / 180);
    expectJustBelow(bottom, 24 / 180);
    expect([left, right]).toEqual([0, 0]);
  });

  it("finds bars on all sides", async () => {
    const { left, top, right, bottom } = await find("window.mp4");
    expectJustBelow(left, 60 / 320);
    expectJustBelow(right, 20 / 320);
    expectJustBelow(top, 30 / 180);
    expectJustBelow(bottom, 16 / 180);
  });

  it("finds bars when most scenes are dark", async () => {
    expectJustBelow((await find("mostly-dark.mp4")).left, 1 / 8);
  });

  it.each([
    ["fills its frame", "full.mp4"],
    ["has bars of a hundredth", "thin.mp4"],
    ["is wider in a third of it", "changing.mp4"],
    ["is wider for a second", "wide-second.mp4"],
    ["is dark except its middle", "lamp.mp4"],
    ["is black", "black.mp4"],
    ["has one key frame", "short.mp4"],
    ["is a GIF", "pillars.gif"],
  ])("finds no borders in a video that %s", async (_, name) => {
    expect(await find(name)).toEqual(none);
  });

  it.each(["pillars.mp4", "uneven-pillars.mkv", "turned-pillars.mp4"])(
    "removes borders from the frames of %s",
    async (name) => {
      const file = folder.path(name);
      const [width, height] = [60, 45];
      const size = { width, height, minGapSeconds: 0 };
      const cut = await collect(openFrameStream(tools, file, { ...size, borders: await find(name) }));
      const whole = await collect(openFrameStream(tools, file, { ...size, width: (width * 4) / 3 }));
      expect(cut.map(({ atSeconds }) => atSeconds)).toEqual(whole.map(({ atSeconds }) => atSeconds));
      for (const at of [0, 20, 100]) {
        const middle = columns(whole[at]?.pixels ?? new Uint8Array(), (width * 4) / 3, width / 6, width);
        expect(difference(cut[at]?.pixels ?? new Uint8Array(), middle)).toBeLessThan(10);
      }
    },
  );

  it("removes borders from odd sizes", async () => {
    const borders = { left: 0.111, top: 0.077, right: 0, bottom: 0.2 };
    for (const name of ["bare.mp4", "thin.mp4", "pillars.gif"]) {
      const size = { width: 16, height: 9, minGapSeconds: 0.5 };
      expect(
        (await collect(openFrameStream(tools, folder.path(name), { ...size, borders }))).length,
      ).toBeGreaterThan(4);
    }
  });

  it("does not change the display size of the video", async () => {
    expect(await probeVideo(tools, folder.path("pillars.mp4"))).toMatchObject({ width: 320, height: 180 });
  });

  it("rejects a file that is no video, and an aborted call", async () => {
    await expect(find("missing.mp4")).rejects.toThrow(UnreadableVideoError);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(findBorders(tools, folder.path("pillars.mp4"), { signal })).rejects.toThrow("enough");
  });
});

/** Expects at most the true value, and hardly less. */
function expectJustBelow(share: number, truth: number): void {
  expect(share).toBeLessThanOrEqual(truth + 1e-9);
  expect(share).toBeGreaterThan(truth - 0.015);
}

function columns(pixels: Uint8Array, width: number, from: number, count: number): Uint8Array {
  const rows = Array.from({ length: pixels.length / width / 3 }, (_, y) =>
    pixels.subarray((y * width + from) * 3, (y * width + from + count) * 3),
  );
  return Buffer.concat(rows);
}
