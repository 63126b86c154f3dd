import { sharp } from "@koma/image";
import { describe, expect, it } from "vitest";
import { decodeImage } from "../../src/image/decode-image.ts";
import { ImageError } from "../../src/image/image-error.ts";
import { drawImage } from "../fixtures/drawn-scenes.ts";

const [width, height] = [512, 288];
const draw = () => drawImage(3, width, height);
const drawBaseline = () => draw().jpeg().toBuffer();
const drawProgressive = () => draw().jpeg({ progressive: true }).toBuffer();

const markers = { quantisation: 0xdb, frame: 0xc0, huffman: 0xc4, scan: 0xda };

describe("decodes what browsers show of a damaged JPEG", () => {
  it.each([
    ["4 bytes before a quantisation table", insertBefore(markers.quantisation, "01020304", 2)],
    ["a stuffed byte before the frame header", insertBefore(markers.frame, "ff00")],
    ["40 bytes before a Huffman table", insertBefore(markers.huffman, "20".repeat(40))],
    ["a byte before the scan", insertBefore(markers.scan, "07")],
    ["the band of a phone, 0 to 0", writeScanParameters("000000")],
    ["another band", writeScanParameters("013f00")],
    ["a successive approximation", writeScanParameters("003f21")],
    ["no end", (jpeg: Buffer) => jpeg.subarray(0, -2)],
    ["99 % of the file", (jpeg: Buffer) => jpeg.subarray(0, jpeg.length * 0.99)],
  ])("%s", async (_name, damage) => {
    const jpeg = await drawBaseline();
    const damaged = damage(jpeg);
    expect(Buffer.compare(damaged, jpeg)).not.toBe(0);
    expect(await measureEqualRows(damaged)).toBeGreaterThan(0.9);
  });

  it("the first half of the file", async () => {
    const jpeg = await drawBaseline();
    const rows = await measureEqualRows(jpeg.subarray(0, jpeg.length / 2));
    expect(rows).toBeGreaterThan(0.2);
    expect(rows).toBeLessThan(0.8);
  });

  it("the rows before an error in the data", async () => {
    const jpeg = await drawBaseline();
    const middle = Math.floor(jpeg.length / 2);
    for (let at = middle; at < middle + 32; at += 2) jpeg.set([0xff, 0], at);
    expect(await measureEqualRows(jpeg)).toBeGreaterThan(0.2);
  });

  it.each([
    ["in a table between its scans", (jpeg: Buffer) => jpeg.subarray(0, lastOf(jpeg, markers.huffman) + 10)],
    ["in a scan", (jpeg: Buffer) => jpeg.subarray(0, lastOf(jpeg, markers.scan) + 30)],
    ["with an unknown segment", (jpeg: Buffer) => setByte(jpeg, lastOf(jpeg, markers.scan) + 1, 0x3c)],
    ["with an impossible scan", (jpeg: Buffer) => setByte(jpeg, lastOf(jpeg, markers.scan) + 8, 99)],
  ])("a progressive JPEG that ends %s", async (_name, damage) => {
    const [whole, part] = [
      await decode(await drawProgressive()),
      await decode(damage(await drawProgressive())),
    ];
    expect(meanDifference(whole, part)).toBeLessThan(12);
  });
});

it.each([
  ["the header", 0, drawBaseline],
  ["the header, progressive,", 0, drawProgressive],
  ["the header and a few blocks", 40, drawBaseline],
] as const)("rejects a JPEG of which only %s is there", async (_name, bytes, create) => {
  const jpeg = await create();
  const scan = jpeg.indexOf(Buffer.from([0xff, markers.scan]));
  const decoded = decodeImage(jpeg.subarray(0, scan + 14 + bytes)).then(() => "decoded");
  await expect(decoded).rejects.toBeInstanceOf(ImageError);
  await expect(decoded).rejects.toMatchObject({ code: "image_unreadable" });
});

it("accepts a complete JPEG of one grey", async () => {
  const grey = sharp({ create: { width: 64, height: 48, channels: 3, background: "#808080" } });
  expect(await decodeImage(await grey.jpeg().toBuffer())).toMatchObject({ width: 64, height: 48 });
});

const decode = async (jpeg: Uint8Array) => (await decodeImage(jpeg)).raster.pixels;

/** Returns the fraction of rows that equal those of the undamaged image. */
async function measureEqualRows(damaged: Uint8Array): Promise<number> {
  const [whole, part] = [await decode(await drawBaseline()), await decode(damaged)];
  const row = (pixels: Uint8Array, y: number) => pixels.subarray(y * width * 3, (y + 1) * width * 3);
  const equal = Array.from({ length: height }, (_, y) => Buffer.compare(row(whole, y), row(part, y)) === 0);
  return equal.filter(Boolean).length / height;
}

function meanDifference(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

function insertBefore(marker: number, hex: string, occurrence = 1) {
  return (jpeg: Buffer) => {
    let at = -1;
    for (let found = 0; found < occurrence; found++) at = jpeg.indexOf(Buffer.from([0xff, marker]), at + 1);
    return Buffer.concat([jpeg.subarray(0, at), Buffer.from(hex, "hex"), jpeg.subarray(at)]);
  };
}

function writeScanParameters(hex: string) {
  return (jpeg: Buffer) => {
    const out = Buffer.from(jpeg);
    const scan = out.indexOf(Buffer.from([0xff, markers.scan]));
    out.set(Buffer.from(hex, "hex"), scan + 2 + out.readUInt16BE(scan + 2) - 3);
    return out;
  };
}

function lastOf(jpeg: Buffer, marker: number): number {
  return jpeg.lastIndexOf(Buffer.from([0xff, marker]));
}

function setByte(jpeg: Buffer, at: number, value: number): Buffer {
  jpeg[at] = value;
  return jpeg;
}
