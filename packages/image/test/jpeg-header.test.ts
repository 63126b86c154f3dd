import { expect, it } from "vitest";
import { readJpegHeader, sharp } from "../src/index.ts";
import { drawProgressiveJpeg } from "./shared/draw-progressive-jpeg.ts";

const drawn = sharp({ create: { width: 300, height: 200, channels: 3, background: "#c33" } });

it("counts the scans of baseline and progressive JPEGs", async () => {
  expect(readJpegHeader(await drawn.clone().jpeg().toBuffer()).scans).toBe(1);
  const progressive = readJpegHeader(await drawn.clone().jpeg({ progressive: true }).toBuffer()).scans;
  expect(progressive).toBeGreaterThan(1);
  expect(progressive).toBeLessThan(20);
  for (const scans of [2, 32, 33, 500]) {
    expect(readJpegHeader(drawProgressiveJpeg(64, 64, scans)).scans).toBe(scans);
  }
});

it("returns for data that is not a JPEG", () => {
  const nonsense = [[], [0xff], [0xff, 0xd8, 0xff], [0xff, 0xe0, 0, 0, 0xff, 0xe1, 0xff], [1, 2, 3]];
  for (const bytes of nonsense)
    expect(readJpegHeader(Uint8Array.from(bytes))).toEqual({ pixels: 0, samplesPerPixel: 0, scans: 0 });
});

it("returns the pixels of the frame header, also when the decoder rejects them", async () => {
  const jpeg = await drawn.clone().jpeg({ progressive: true }).toBuffer();
  expect(readJpegHeader(jpeg).pixels).toBe(300 * 200);
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  jpeg.fill(0xff, frame + 5, frame + 9);
  expect(readJpegHeader(jpeg).pixels).toBe(65_535 ** 2);
  expect(readJpegHeader(jpeg.subarray(0, frame)).pixels).toBe(0);
});

it("returns the samples per pixel of all components", async () => {
  const samplesOf = async (chromaSubsampling: string) =>
    readJpegHeader(await drawn.clone().jpeg({ chromaSubsampling }).toBuffer()).samplesPerPixel;
  expect(await samplesOf("4:4:4")).toBe(3);
  expect(await samplesOf("4:2:0")).toBe(1.5);
  const grey = await drawn.clone().toColourspace("b-w").jpeg().toBuffer();
  expect(readJpegHeader(grey).samplesPerPixel).toBe(1);
});

it("ignores bytes between segments", async () => {
  const jpeg = await drawn.clone().jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const stray = Buffer.concat([
    jpeg.subarray(0, frame),
    Buffer.from("01ff0002", "hex"),
    jpeg.subarray(frame),
  ]);
  expect(readJpegHeader(stray)).toEqual(readJpegHeader(jpeg));
});
