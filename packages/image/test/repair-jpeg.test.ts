import { expect, it } from "vitest";
import { readJpegHeader, repairJpeg, sharp } from "../src/index.ts";

const drawn = sharp({ create: { width: 300, height: 200, channels: 3, background: "#c33" } });
const progressive = () => drawn.clone().jpeg({ progressive: true }).toBuffer();
const lastScanOf = (jpeg: Buffer) => jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));

it("returns nothing for a JPEG without a bad segment, and for other data", async () => {
  for (const jpeg of [await drawn.clone().jpeg().toBuffer(), await progressive(), Buffer.from("text")])
    expect(repairJpeg(jpeg)).toBeUndefined();
});

it.each([
  [
    "a scan with an impossible band",
    (jpeg: Buffer) => jpeg.fill(99, lastScanOf(jpeg) + 8, lastScanOf(jpeg) + 9),
  ],
  ["an unknown segment", (jpeg: Buffer) => jpeg.fill(0x3c, lastScanOf(jpeg) + 1, lastScanOf(jpeg) + 2)],
  ["the first bytes of a segment", (jpeg: Buffer) => jpeg.subarray(0, lastScanOf(jpeg) + 5)],
])("ends a progressive JPEG before %s", async (_name, damage) => {
  const jpeg = await progressive();
  const [{ scans }, scan] = [readJpegHeader(jpeg), lastScanOf(jpeg)];
  const damaged = damage(jpeg);
  await expect(sharp(damaged, { failOn: "none" }).raw().toBuffer()).rejects.toThrow();
  const repaired = repairJpeg(damaged) ?? Buffer.alloc(0);
  expect(Buffer.compare(repaired, Buffer.concat([jpeg.subarray(0, scan), Buffer.from("ffd9", "hex")]))).toBe(
    0,
  );
  expect(readJpegHeader(repaired).scans).toBe(scans - 1);
  expect(await sharp(repaired).raw().toBuffer()).toHaveLength(300 * 200 * 3);
});
