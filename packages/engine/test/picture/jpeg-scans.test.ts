import sharp from "sharp";
import { expect, it } from "vitest";
import { countJpegPixels, hasTooManyScans, jpegScanLimit } from "../../src/picture/jpeg-scans.ts";

/** A progressive JPEG whose last scan is repeated. */
async function repeatLastScan(times: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#888", noise } })
    .jpeg({ progressive: true })
    .toBuffer();
  const from = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(from, jpeg.length - 2);
  return Buffer.concat([
    jpeg.subarray(0, from),
    ...Array.from({ length: times }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

it("lets ordinary JPEGs through, progressive or not", async () => {
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: "#c33" } });
  expect(hasTooManyScans(await picture.clone().jpeg().toBuffer())).toBe(false);
  expect(hasTooManyScans(await repeatLastScan(1))).toBe(false);
});

it("refuses a JPEG that makes the decoder go over it hundreds of times", async () => {
  expect(hasTooManyScans(await repeatLastScan(jpegScanLimit - 15))).toBe(false);
  expect(hasTooManyScans(await repeatLastScan(jpegScanLimit + 1))).toBe(true);
});

it("ends on whatever is no JPEG", () => {
  const nonsense = [[], [0xff], [0xff, 0xd8, 0xff], [0xff, 0xe0, 0, 0, 0xff, 0xe1, 0xff], [1, 2, 3]];
  for (const bytes of nonsense) expect(hasTooManyScans(Uint8Array.from(bytes))).toBe(false);
});

it("counts the pixels that the frame header states , also where no decoder takes them", async () => {
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: "#c33" } });
  const jpeg = await picture.jpeg({ progressive: true }).toBuffer();
  expect(countJpegPixels(jpeg)).toBe(300 * 200);
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  jpeg.fill(0xff, frame + 5, frame + 9);
  expect(countJpegPixels(jpeg)).toBe(65_535 ** 2);
  expect(countJpegPixels(jpeg.subarray(0, frame))).toBe(0);
});
