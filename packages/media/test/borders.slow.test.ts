import { type Borders, findBorders, openFrameStream, probeVideo, UnreadableVideoError } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import { collect, difference, ffmpeg, h264, movingImage, temporaryFolder, tools } from "./videos.ts";

// borders.test.ts has the shapes of bars.
const folder = temporaryFolder();
const none = { left: 0, top: 0, right: 0, bottom: 0 };
const pillars = "pad=320:180:40:0";
const sides = "drawbox=0:0:40:180:black:fill,drawbox=280:0:40:180:black:fill";

const videos: Record<string, string[]> = {
  "full.mp4": [...movingImage(12, "320x180"), ...h264],
  "late-pillars.ts": [
    ...movingImage(12, "240x180"),
    ...["-vf", pillars, ...h264, "-output_ts_offset", "3600"],
  ],
  "uneven-pillars.mkv": [
    ...movingImage(16, "240x180"),
    ...["-vf", `select='not(between(mod(n,48),10,30))',settb=1/1000,setpts='PTS+mod(N*N,29)',${pillars}`],
    ...["-vsync", "vfr", ...h264],
  ],
  "turned.mp4": [...movingImage(12, "180x240"), "-vf", "pad=180:320:0:40", ...h264],
  "wide-pixels.mkv": [...movingImage(12, "180x180"), "-vf", "pad=240:180:30:0,setsar=4/3", ...h264],
  "wide-second.mp4": [
    ...movingImage(12, "320x180"),
    ...["-vf", sides.replaceAll("fill", "fill:enable='not(between(t,5,6.5))'"), ...h264],
  ],
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
  const found = new Map<string, Promise<Borders>>();
  const find = (name: string) => {
    const borders = found.get(name) ?? findBorders(tools, folder.path(name));
    found.set(name, borders);
    return borders;
  };

  it.each(["late-pillars.ts", "uneven-pillars.mkv", "turned-pillars.mp4", "wide-pixels.mkv"])(
    "finds the bars at the sides of %s",
    async (name) => {
      const { left, top, right, bottom } = await find(name);
      // At most the true value, and hardly less.
      for (const side of [left, right]) {
        expect(side).toBeLessThanOrEqual(1 / 8 + 1e-9);
        expect(side).toBeGreaterThan(1 / 8 - 0.015);
      }
      expect([top, bottom]).toEqual([0, 0]);
    },
  );

  it.each([
    ["fills its frame", "full.mp4"],
    ["is wider for a second", "wide-second.mp4"],
    ["has one key frame", "short.mp4"],
    ["is a GIF", "pillars.gif"],
  ])("finds no borders in a video that %s", async (_, name) => {
    expect(await find(name)).toEqual(none);
  });

  it.each(["uneven-pillars.mkv", "turned-pillars.mp4"])(
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

  it("removes borders from odd sizes, and does not change the display size", async () => {
    const borders = { left: 0.111, top: 0.077, right: 0, bottom: 0.2 };
    for (const name of ["short.mp4", "pillars.gif"]) {
      const size = { width: 16, height: 9, minGapSeconds: 0.5 };
      const frames = await collect(openFrameStream(tools, folder.path(name), { ...size, borders }));
      expect(frames.length).toBeGreaterThan(4);
    }
    expect(await probeVideo(tools, folder.path("short.mp4"))).toMatchObject({ width: 320, height: 180 });
  });

  it("rejects a file that is no video, and an aborted call", async () => {
    await expect(find("missing.mp4")).rejects.toThrow(UnreadableVideoError);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(findBorders(tools, folder.path("full.mp4"), { signal })).rejects.toThrow("enough");
  });
});

function columns(pixels: Uint8Array, width: number, from: number, count: number): Uint8Array {
  const rows = Array.from({ length: pixels.length / width / 3 }, (_, y) =>
    pixels.subarray((y * width + from) * 3, (y * width + from + count) * 3),
  );
  return Buffer.concat(rows);
}
