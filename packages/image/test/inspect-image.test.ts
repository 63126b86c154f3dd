import { expect, it } from "vitest";
import { inspectImage, loadDecoder, type Sharp, sharp } from "../src/index.ts";
import { drawProgressiveJpeg } from "./shared/draw-progressive-jpeg.ts";

const flat = (channels: 3 | 4 = 3, background = "#c33") =>
  sharp({ create: { width: 40, height: 30, channels, background } });
const pixels = 40 * 30;
const decoderBytesOf = async (image: Sharp) => (await inspectImage(await image.toBuffer())).decoderBytes;

it("decodes without a cache and with one thread", () => {
  const decoder = loadDecoder();
  expect(decoder.cache()).toMatchObject({ memory: { max: 0 }, files: { max: 0 }, items: { max: 0 } });
  expect(decoder.concurrency()).toBe(1);
});

it("returns the memory that the decoder holds for a whole image", async () => {
  expect(await decoderBytesOf(flat().jpeg())).toBe(0);
  expect(await decoderBytesOf(flat().jpeg({ progressive: true }))).toBe(pixels * 3);
  const whole = { progressive: true, chromaSubsampling: "4:4:4" };
  expect(await decoderBytesOf(flat().jpeg(whole))).toBe(pixels * 6);
  expect(await decoderBytesOf(flat().toColourspace("b-w").jpeg({ progressive: true }))).toBe(pixels * 2);
  expect(await decoderBytesOf(flat().toColourspace("cmyk").jpeg({ progressive: true }))).toBe(pixels * 8);
  expect(await decoderBytesOf(flat().png())).toBe(0);
  expect(await decoderBytesOf(flat(4).png({ progressive: true }))).toBe(pixels * 4);
  expect(await decoderBytesOf(flat().toColourspace("rgb16").png({ progressive: true }))).toBe(pixels * 6);
  expect(await decoderBytesOf(flat().webp())).toBe(0);
  expect(await decoderBytesOf(flat().webp({ lossless: true }))).toBe(pixels * 4);
  expect(await decoderBytesOf(flat(4, "rgba(9, 99, 9, 0.5)").webp())).toBe(pixels * 5);
  expect(
    await decoderBytesOf(
      flat()
        .withExif({ IFD0: { Artist: "a" } })
        .webp(),
    ),
  ).toBe(0);
  expect(await decoderBytesOf(flat().gif())).toBe(pixels * 6);
  expect(await decoderBytesOf(flat().avif())).toBe(pixels * 20);
  expect(await decoderBytesOf(flat().tiff())).toBe(pixels * 3);
});

it("counts one page and the canvas of an animation", async () => {
  const pages = await Promise.all([flat(), flat().negate()].map((page) => page.png().toBuffer()));
  const animation = sharp(pages, { join: { animated: true } });
  expect(await decoderBytesOf(animation.clone().webp())).toBe(pixels * 8);
  expect(await decoderBytesOf(animation.clone().gif())).toBe(pixels * 6);
});

it.each(["gif", "webp"] as const)("returns the delays of the frames of a %s", async (format) => {
  const pages = await Promise.all([flat(), flat().negate()].map((page) => page.png().toBuffer()));
  const animation = sharp(pages, { join: { animated: true } }).toFormat(format, { delay: [200, 300] });
  const header = await inspectImage(await animation.toBuffer());
  expect(header).toMatchObject({ width: 40, height: 30, frameDelaysMs: [200, 300] });
});

it("counts a baseline JPEG with one scan per component as multi-scan", async () => {
  expect(await inspectImage(drawBaselineOfThreeScans())).toEqual({
    width: 8,
    height: 8,
    decoderBytes: 8 * 8 * 6,
    scans: 3,
    frameDelaysMs: [0],
  });
});

it("returns the size after orientation and the scans", async () => {
  const turned = await flat().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await inspectImage(turned)).toEqual({
    width: 30,
    height: 40,
    decoderBytes: 0,
    scans: 1,
    frameDelaysMs: [0],
  });
  expect(await inspectImage(drawProgressiveJpeg(8000, 6250, 100))).toEqual({
    width: 8000,
    height: 6250,
    decoderBytes: 300_000_000,
    scans: 100,
    frameDelaysMs: [0],
  });
  await expect(inspectImage(Buffer.from("no image"))).rejects.toThrow();
});

/** Draws one black block per component: SOF0, then a scan for each. */
function drawBaselineOfThreeScans(): Buffer {
  const table = (tableId: number) =>
    Buffer.from([0xff, 0xc4, 0, 20, tableId, 1, ...new Array<number>(15).fill(0), 0]);
  return Buffer.concat([
    Buffer.from("ffd8ffdb004300", "hex"),
    Buffer.alloc(64, 1),
    Buffer.from("ffc00011080008000803011100021100031100", "hex"),
    table(0x00),
    table(0x10),
    ...[1, 2, 3].map((component) => Buffer.from([0xff, 0xda, 0, 8, 1, component, 0, 0, 63, 0, 0b0011_1111])),
    Buffer.from([0xff, 0xd9]),
  ]);
}

it("throws for an AVIF whose header has an impossible size", async () => {
  const file = await sharp({ create: { width: 64, height: 32, channels: 3, background: "red" } })
    .avif()
    .toBuffer();
  expect(await inspectImage(file)).toMatchObject({ width: 64, height: 32 });
  file.writeUInt32BE(134_217_776, file.indexOf("ispe") + 8);
  await expect(inspectImage(file)).rejects.toThrow("A side of the image has 134217776 pixels.");
});
