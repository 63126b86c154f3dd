import { crc32 } from "node:zlib";
import { sharp } from "@koma/image";
import { drawProgressiveJpeg } from "@koma/image/testing/draw-progressive-jpeg";
import { writeAvifSequence } from "@koma/image/testing/write-avif-sequence";
import { writeBmp } from "@koma/image/testing/write-bmp";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ImageError } from "../src/image/errors.ts";
import { prepareImage } from "../src/image/prepare-image.ts";
import { readBounded } from "../src/image/read-bounded.ts";
import { sniff } from "../src/image/sniff.ts";

const signal = new AbortController().signal;
const prepare = (bytes: Uint8Array, frame?: { atSeconds: number }) =>
  prepareImage(bytes, { frame, mediaTools: undefined, signal });
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ImageError ? error.problem : error),
  );

const red = { r: 220, g: 20, b: 20 };
const blue = { r: 20, g: 20, b: 220 };
const flat = (background: typeof red, width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background } });

async function colorOf(image: Uint8Array) {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  const near = (color: typeof red) =>
    [color.r, color.g, color.b].every((value, channel) => Math.abs((data[channel] ?? 0) - value) < 25);
  return { name: near(red) ? "red" : near(blue) ? "blue" : "other", width: info.width, height: info.height };
}

test("returns JPEG and PNG unchanged, including damaged ones", async () => {
  const jpeg = await flat(red).jpeg().toBuffer();
  const png = await flat(red).png().toBuffer();
  for (const bytes of [jpeg, png, jpeg.subarray(0, 200), png.subarray(0, 60)])
    expect(await prepare(bytes)).toBe(bytes);
});

test("converts formats that the API does not accept to JPEG", async () => {
  for (const bytes of [
    await flat(red).webp().toBuffer(),
    await flat(red).gif().toBuffer(),
    await flat(red).avif().toBuffer(),
    await flat(red).tiff().toBuffer(),
    writeBmp(64, 48, () => red),
  ]) {
    const created = await prepare(bytes);
    expect(sniff(created)).toBe("jpeg");
    expect(await colorOf(created)).toEqual({ name: "red", width: 64, height: 48 });
  }
});

test("detects formats by content: a text, an SVG and an HTML page are no images, whatever their names are", async () => {
  for (const text of [
    "hello, I am picture.png",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "<!doctype html>",
    "BM",
    "",
  ]) {
    expect(await problemOf(prepare(Buffer.from(text)))).toBe("unsupported");
  }
});

test("chooses a frame of an animation by its time", async () => {
  const frames = await Promise.all([red, blue].map((color) => flat(color).png().toBuffer()));
  const join = { join: { animated: true } };
  for (const kind of ["gif", "webp"] as const) {
    const animation = await sharp(frames, join)
      [kind]({ delay: [500, 1500] })
      .toBuffer();
    const at = async (atSeconds: number) => (await colorOf(await prepare(animation, { atSeconds }))).name;
    expect((await colorOf(await prepare(animation))).name).toBe("red");
    expect([await at(0.4), await at(0.6), await at(99)]).toEqual(["red", "blue", "blue"]);
  }
});

test("chooses a frame of an animated AVIF by its time", async () => {
  const animation = await writeAvifSequence([flat(red), flat(blue)]);
  const at = async (atSeconds: number) => (await colorOf(await prepare(animation, { atSeconds }))).name;
  expect((await colorOf(await prepare(animation))).name).toBe("red");
  expect([await at(0.05), await at(0.15), await at(99)]).toEqual(["red", "blue", "blue"]);
});

test("converts the readable part of a damaged JPEG of 10.5 MB", async () => {
  const jpeg = await flat(red).jpeg().toBuffer();
  const comment = Buffer.alloc(65_535);
  comment.writeUInt32BE(0xfffefffd);
  const stray = Buffer.from([1, 2, 3, 4]);
  const parts = [jpeg.subarray(0, 2), ...new Array<Buffer>(161).fill(comment), stray, jpeg.subarray(2, -2)];
  const created = await prepare(Buffer.concat(parts));
  expect(await colorOf(created)).toEqual({ name: "red", width: 64, height: 48 });
});

test("applies the EXIF orientation, and renders transparency as black", async () => {
  const turned = await flat(red).withMetadata({ orientation: 6 }).webp().toBuffer();
  expect(await colorOf(await prepare(turned))).toEqual({ name: "red", width: 48, height: 64 });
  const clear = await sharp({
    create: { width: 8, height: 8, channels: 4, background: { ...red, alpha: 0 } },
  })
    .webp()
    .toBuffer();
  expect(
    [
      ...(
        await sharp(await prepare(clear))
          .raw()
          .toBuffer()
      ).subarray(0, 3),
    ].every((value) => value < 5),
  ).toBe(true);
});

test("shrinks an image of 12 MB and one of 60 megapixels", async () => {
  const width = 2400;
  const noise = Buffer.alloc(width * 1800 * 3);
  for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE(Math.floor(Math.random() * 2 ** 32), at);
  const heavy = await sharp(noise, { raw: { width, height: 1800, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(heavy.length).toBeGreaterThan(12_000_000);
  const created = await prepare(heavy);
  expect(created.length).toBeLessThanOrEqual(10 * 1024 * 1024);
  const wide = await flat(blue, 10_000, 6000).png().toBuffer();
  expect(await colorOf(await prepare(wide))).toEqual({ name: "blue", width: 4096, height: 2458 });
});

test("rejects more pixels than a screenshot has before decoding them", async () => {
  const header = writeBmp(4, 4, () => red);
  header.writeInt32LE(30_000, 18);
  header.writeInt32LE(30_000, 22);
  expect(await problemOf(prepare(header))).toBe("too-large");
  const png = await flat(blue).png().toBuffer();
  png.writeUInt32BE(15_000, 16);
  png.writeUInt32BE(14_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  expect(await problemOf(prepare(png))).toBe("too-large");
});

test("returns an image or an ImageError for any bytes", async () => {
  const starts = ["GIF89a", "RIFF\0\0\0\0WEBPVP8 ", "BM", "II*\0", "\0\0\0\x1cftypavif", "\xff\xd8\xff", ""];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), async (start, rest) => {
      const bytes = Buffer.concat([Buffer.from(start, "latin1"), rest]);
      expect(["unsupported", "unreadable", "too-large", "unreadable-video", undefined]).toContain(
        await problemOf(prepare(bytes)),
      );
    }),
    { numRuns: 150 },
  );
});

test("rejects images whose decoding needs too much memory or too many passes by their header", async () => {
  expect(await problemOf(prepare(drawProgressiveJpeg(8000, 6250, 100)))).toBe("too-large");
  expect(await problemOf(prepare(drawProgressiveJpeg(64, 64, 33)))).toBe("unreadable");
  const taken = drawProgressiveJpeg(4700, 4700, 32);
  expect(await prepare(taken)).toBe(taken);
  const webp = await flat(red, 64, 48).webp({ lossless: true }).toBuffer();
  const sides = webp.readUInt32LE(21);
  // 14 bits each, minus one: 8,000 x 8,000.
  webp.writeUInt32LE(((sides & 0xf0000000) | 7999 | (7999 << 14)) >>> 0, 21);
  expect(await problemOf(prepare(webp))).toBe("too-large");
  const gif = await flat(red).gif().toBuffer();
  // The size of the screen, and of the frame: the decoder ignores a screen that is much larger than its
  // frames.
  const frameAt = gif.indexOf(Buffer.from("2c0000000040003000", "hex"));
  for (const at of [6, 8, frameAt + 5, frameAt + 7]) gif.writeUInt16LE(8000, at);
  expect(await problemOf(prepare(gif))).toBe("too-large");
  const bmp = writeBmp(4, 4, () => red);
  bmp.writeInt32LE(9000, 18);
  bmp.writeInt32LE(9000, 22);
  expect(await problemOf(prepare(bmp))).toBe("too-large");
});

test("a download in 1-byte chunks uses the memory of its bytes", async () => {
  const one = Buffer.from([7]);
  const before = process.memoryUsage();
  let sent = 0;
  let heldBytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      for (let part = 0; part < 1000; part++) controller.enqueue(one.subarray());
      sent += 1000;
      if (sent < 1_000_000) return;
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      heldBytes = heapUsed + external - before.heapUsed - before.external;
      controller.close();
    },
  });
  expect(await readBounded(new Response(body), 1_000_000)).toHaveLength(1_000_000);
  expect(globalThis.gc).toBeDefined();
  expect(heldBytes).toBeLessThan(30_000_000);
});

test("a HEIC photo is named; one with a decoder would be converted", async () => {
  const file = (brand: string) =>
    new Uint8Array([0, 0, 0, 24, ...Buffer.from(`ftyp${brand}\0\0\0\0${brand}mif1`, "latin1"), 1, 2, 3]);
  expect(["heic", "heix", "mif1", "crx "].map((brand) => sniff(file(brand)))).toEqual([
    "heic",
    "heic",
    "heic",
    "unknown",
  ]);
  expect(await problemOf(prepare(file("heic")))).toBe("heic");
});
