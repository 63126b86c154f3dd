import { crc32, deflateSync } from "node:zlib";
import { ImageError, loadModel } from "@koma/engine";
import { type Sharp, sharp } from "@koma/image";
import { drawProgressiveJpeg } from "@koma/image/testing/draw-progressive-jpeg";
import { writeBmp } from "@koma/image/testing/write-bmp";
import { describe, expect, it } from "vitest";
import { dot } from "../../src/nearest-neighbours/frame-vectors.ts";
import { openImageDescriber } from "../fixtures/describe-images.ts";
import { drawImage } from "../fixtures/drawn-scenes.ts";

const { describeFirst, describeAll } = await openImageDescriber(await loadModel());

async function cosineOf(a: Uint8Array, b: Uint8Array, view = 0): Promise<number> {
  const [one, other] = [await describeFirst(a), await describeFirst(b)];
  return dot(one.views[0]?.vector ?? [], other.views[view]?.vector ?? []);
}

describe("describes images of every supported kind", () => {
  const plain = () => drawImage(1).png().toBuffer();

  it.each([
    ["JPEG", () => drawImage(1).jpeg({ quality: 70 }).toBuffer(), 0.97],
    ["progressive JPEG", () => drawImage(1).jpeg({ progressive: true }).toBuffer(), 0.99],
    ["CMYK JPEG", () => drawImage(1).toColourspace("cmyk").jpeg().toBuffer(), 0.9],
    ["16-bit PNG", () => drawImage(1).toColourspace("rgb16").png().toBuffer(), 0.999],
    ["PNG with alpha", () => drawImage(1).ensureAlpha(1).png().toBuffer(), 0.999],
    ["WebP", () => drawImage(1).webp({ quality: 70 }).toBuffer(), 0.97],
    ["AVIF", () => drawImage(1).avif({ quality: 60 }).toBuffer(), 0.97],
    ["AVIF of 4K", () => drawImage(1).resize(3840, 2160).avif({ quality: 60, effort: 0 }).toBuffer(), 0.97],
    [
      "progressive JPEG of 24 megapixels",
      () => drawImage(1).resize(6000, 4000, { fit: "fill" }).jpeg({ progressive: true }).toBuffer(),
      0.9,
    ],
    ["AVIF of general brands", async () => withBrand(await drawImage(1).avif().toBuffer(), "mif1"), 0.97],
    ["GIF", () => drawImage(1).gif().toBuffer(), 0.97],
    ["BMP of 24 bits", () => drawBmp(24), 0.999],
    ["BMP of 32 bits", () => drawBmp(32), 0.999],
    ["BMP of 16 bits", () => drawBmp(16), 0.99],
    ["other aspect", () => drawImage(1).resize(300, 300, { fit: "fill" }).png().toBuffer(), 0.97],
  ])("%s", async (_name, create, least) => {
    expect(await cosineOf(await plain(), await create())).toBeGreaterThan(least);
  });

  it("describes grey images by their brightness", async () => {
    const grey = await drawImage(1).greyscale().toColourspace("b-w").png().toBuffer();
    expect(await cosineOf(await plain(), grey)).toBeGreaterThan(0.5);
  });

  it("returns different descriptors for different images", async () => {
    for (const seed of [2, 3, 4, 5]) {
      expect(await cosineOf(await plain(), await drawImage(seed).png().toBuffer())).toBeLessThan(0.6);
    }
  });

  // The image as a camera stores it: rotated so that the orientation reverses the rotation.
  it.each<[number, (image: Sharp) => Sharp]>([
    [3, (p) => p.rotate(180)],
    [5, (p) => p.rotate(270).flop()],
    [6, (p) => p.rotate(270)],
  ])("applies EXIF orientation %i", async (orientation, rotate) => {
    const upright = await plain();
    const rotated = await rotate(sharp(upright)).png().toBuffer();
    const stored = await sharp(rotated).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
    expect(await cosineOf(upright, stored)).toBeGreaterThan(0.97);
    expect(await describeFirst(stored)).toMatchObject({ width: 320, height: 180 });
  });
});

describe("views", () => {
  it("describe the mirrored image in the mirrored view", async () => {
    const image = await drawImage(1).png().toBuffer();
    const mirrored = await sharp(image).flop().png().toBuffer();
    expect(await cosineOf(image, mirrored, 1)).toBeGreaterThan(0.999);
    expect(await cosineOf(image, mirrored, 0)).toBeLessThan(0.99);
  });

  it.each(["#000000", "#ffffff", "#3060a0"])("exclude bars of colour %s", async (background) => {
    const image = await drawImage(1).png().toBuffer();
    const barred = await sharp(image)
      .extend({ top: 60, bottom: 40, left: 30, background })
      .jpeg({ quality: 60 })
      .toBuffer();
    const { views } = await describeFirst(barred);
    expect(views.map(({ isMirrored }) => isMirrored)).toEqual([false, true, false, true]);
    const inside = views[2];
    expect(inside?.region?.x).toBeCloseTo(30 / 350, 1);
    expect(inside?.region?.y).toBeCloseTo(60 / 280, 1);
    expect(inside?.region?.height).toBeCloseTo(180 / 280, 1);
    expect(await cosineOf(image, barred, 2)).toBeGreaterThan(0.9);
  });

  it("of all passes include the scene inside a page", async () => {
    const image = await drawImage(1).png().toBuffer();
    const page = await sharp({ create: { width: 400, height: 700, channels: 3, background: "#f4f4f4" } })
      .composite([
        { input: image, left: 40, top: 120 },
        { input: await drawImage(5, 120, 90).png().toBuffer(), left: 40, top: 500 },
      ])
      .jpeg()
      .toBuffer();
    const [scene, few, all] = [
      await describeFirst(image),
      await describeFirst(page),
      await describeAll(page),
    ];
    const likeness = (views: readonly { vector: Float32Array }[]) =>
      views.map(({ vector }) => dot(scene.views[0]?.vector ?? [], vector));
    expect(few.views.length).toBeLessThanOrEqual(6);
    expect(all.views.slice(0, few.views.length)).toEqual(few.views);
    expect(Math.max(...likeness(few.views))).toBeLessThan(0.9);
    const found = likeness(all.views);
    const best = all.views[found.indexOf(Math.max(...found))];
    expect(Math.max(...found)).toBeGreaterThan(0.95);
    expect(best).toMatchObject({ isMirrored: false });
    expect(best?.region?.y).toBeCloseTo(120 / 700, 1);
  });

  it("report flat images", async () => {
    const flat = (colour: string) =>
      sharp({ create: { width: 64, height: 48, channels: 3, background: colour } })
        .png()
        .toBuffer();
    for (const colour of ["#000000", "#ffffff", "#7f3050"]) {
      expect((await describeFirst(await flat(colour))).isFlat).toBe(true);
    }
    expect((await describeFirst(await drawImage(1).png().toBuffer())).isFlat).toBe(false);
  });

  it("describe images of a single pixel", async () => {
    const dot = await drawImage(1, 1, 1).png().toBuffer();
    expect((await describeFirst(dot)).isFlat).toBe(true);
  });
});

describe("rejected images", () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

  it.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ["nothing", () => new Uint8Array(0), "image_required"],
    ["text", () => Buffer.from("plain text"), "unsupported_image_type"],
    ["SVG", () => Buffer.from(svg), "unsupported_image_type"],
    ["TIFF", () => drawImage(1).tiff().toBuffer(), "unsupported_image_type"],
    ["text that starts like a BMP", () => Buffer.from("BM".repeat(40)), "unsupported_image_type"],
    ["a BMP with run lengths", () => compressBmp(writeBmp(8, 8, () => black)), "unsupported_image_type"],
    ["a truncated BMP", async () => cut(await drawBmp(24), 0.6), "image_unreadable"],
    ["a BMP of 30000 x 30000 pixels", () => enlargeBmp(writeBmp(8, 8, () => black)), "image_too_large"],
    ["a PDF", () => Buffer.from("%PDF-1.7\n1 0 obj\n"), "unsupported_image_type"],
    ["HEIC", () => Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic"), "unsupported_image_type"],
    ["a truncated WebP", async () => cut(await drawImage(1).webp().toBuffer(), 0.6), "image_unreadable"],
    ["a truncated AVIF", async () => cut(await drawImage(1).avif().toBuffer(), 0.6), "image_unreadable"],
    ["a truncated GIF", async () => cut(await drawImage(1).gif().toBuffer(), 0.6), "image_unreadable"],
    ["the first bytes of a WebP", () => Buffer.from("RIFF\0\0\0\0WEBP"), "image_unreadable"],
    [
      "a GIF of 60000 x 60000 pixels",
      async () => enlargeGif(await drawImage(1).gif().toBuffer()),
      "image_too_large",
    ],
    ["a truncated PNG", async () => cut(await drawImage(1).png().toBuffer(), 0.6), "image_unreadable"],
    ["the first bytes of a JPEG", () => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), "image_unreadable"],
    [
      "noise behind a PNG's first bytes",
      async () => scramble(await drawImage(1).png().toBuffer()),
      "image_unreadable",
    ],
    [
      "a PNG corrupt in the middle",
      async () => damage(await drawImage(1, 640, 360).png().toBuffer()),
      "image_unreadable",
    ],
    [
      "20 million pixels of 8 bytes, interlaced",
      () => createPng(5000, 4000, [16, 6, 0, 0, 1]),
      "image_too_large",
    ],
    [
      "20 million pixels of 8 bytes, not interlaced and truncated",
      () => createPng(5000, 4000, [16, 6, 0, 0, 0]),
      "image_unreadable",
    ],
    ["a progressive JPEG of 50 megapixels", () => drawProgressiveJpeg(8000, 6250, 10), "image_too_large"],
    ["a JPEG of 33 scans", () => drawProgressiveJpeg(64, 64, 33), "image_unreadable"],
    ["a header of 30000 x 30000 pixels", () => createPng(30_000, 30_000), "image_too_large"],
    ["more than 10 MiB", () => new Uint8Array(10 * 1024 * 1024 + 1).fill(0xff), "image_too_large"],
  ])("%s", async (_name, create, code) => {
    const rejected = describeFirst(await create());
    await expect(rejected).rejects.toBeInstanceOf(ImageError);
    await expect(rejected).rejects.toMatchObject({ code });
  });

  it.each([
    ["an SVG", svg, "SVG"],
    ["an SVG with a declaration", `\ufeff<?xml version="1.0"?>\n<!-- drawn -->\n${svg}`, "SVG"],
    ["a PDF", "%PDF-1.7\n", "PDF"],
    ["a page", "<!doctype html><p>svg</p>", "no JPEG"],
  ])("say what to do with %s", async (_name, text, kind) => {
    const rejected = describeFirst(Buffer.from(text));
    await expect(rejected).rejects.toThrow(kind);
    await expect(rejected).rejects.toThrow(/ screenshot .+ export it as PNG\.$/);
  });

  it("name the limit of a large image", async () => {
    await expect(describeFirst(drawProgressiveJpeg(8000, 6250, 10))).rejects.toThrow(
      "The image has 8000 x 6250 pixels. A progressive JPEG like it can have at most 22.3 million. " +
        "Reduce it, or take a screenshot of it.",
    );
  });
});

const black = { r: 0, g: 0, b: 0 };

async function drawBmp(bits: 16 | 24 | 32): Promise<Buffer> {
  const { data, info } = await drawImage(1).raw().toBuffer({ resolveWithObject: true });
  const channel = (at: number) => data[at] ?? 0;
  const pixel = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    return { r: channel(at), g: channel(at + 1), b: channel(at + 2) };
  };
  return writeBmp(info.width, info.height, pixel, { bits });
}

function withBrand(avif: Buffer, brand: string): Buffer {
  avif.write(brand, 8);
  return avif;
}

function compressBmp(bmp: Buffer): Buffer {
  bmp.writeUInt32LE(1, 30);
  return bmp;
}

function enlargeBmp(bmp: Buffer): Buffer {
  bmp.writeInt32LE(30_000, 18);
  bmp.writeInt32LE(30_000, 22);
  return bmp;
}

/** Writes a large size into the header of a GIF and of its first frame. */
function enlargeGif(gif: Uint8Array): Uint8Array {
  const out = Buffer.from(gif);
  const descriptor = out.indexOf(Buffer.from([0x21, 0xf9, 0x04])) + 8;
  for (const at of [6, 8, descriptor + 5, descriptor + 7]) out.writeUInt16LE(60_000, at);
  return out;
}

function cut(bytes: Uint8Array, share: number): Uint8Array {
  return bytes.subarray(0, Math.floor(bytes.length * share));
}

/** Overwrites the data with set bits, which are no Huffman code. */
function damage(image: Uint8Array): Uint8Array {
  const out = Uint8Array.from(image);
  const middle = Math.floor(out.length / 2);
  for (let at = middle; at < middle + 32; at += 2) out.set([0xff, 0], at);
  return out;
}

function scramble(png: Uint8Array): Uint8Array {
  const out = Uint8Array.from(png);
  for (let at = 100; at < out.length; at++) out[at] = (at * 131) % 251;
  return out;
}

/** Creates a PNG with hardly any data and a header of a large image. */
function createPng(width: number, height: number, kind = [8, 2, 0, 0, 0]): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(kind, 8);
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
