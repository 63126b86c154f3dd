import {
  BmpError,
  type BmpPixels,
  decodeBmp,
  decoderLimits,
  type ImageHeader,
  inspectImage,
  openFrames,
  readJpegHeader,
  type SharpOptions,
  sharp,
} from "@koma/image";
import type { Raster } from "../pixels/raster.ts";
import { decodeJpeg } from "./decode-jpeg.ts";
import { ImageError } from "./image-error.ts";
import { describeUnsupported, detectFormat, type ImageFormat } from "./image-format.ts";
import { imageLimits } from "./image-limits.ts";
import { measureDetail } from "./measure-detail.ts";
import { createUnreadableError, reduceImage } from "./reduce-image.ts";

/**
 * Pixels that are decoded to choose a frame of an animation. A decoder reads all frames before the chosen
 * one, and a tiny frame takes as long as one of `leastFrame` pixels. A pixel of an AVIF takes longest.
 */
const ANIMATION_PIXELS = {
  gif: { all: 100_000_000, leastFrame: 10_000 },
  webp: { all: 100_000_000, leastFrame: 10_000 },
  png: { all: 100_000_000, leastFrame: 50_000 },
  avif: { all: 60_000_000, leastFrame: 10_000 },
} as const;
const ANIMATION_CANDIDATES = 8;
/** Images whose decoder holds more memory, and all BMPs, are decoded one at a time. */
const SHARED_BYTES = 32 * 1024 * 1024;

/** The reduced pixels of an image, and its size in the file. */
export type DecodedImage = {
  raster: Raster;
  width: number;
  height: number;
  /** The time of the chosen frame; missing for an image of one frame. */
  frameAtSeconds?: number;
};

export type DecodeOptions = {
  runAlone?: (decode: () => Promise<DecodedImage>) => Promise<DecodedImage>;
};

/**
 * Decodes a JPEG, PNG, WebP, GIF, AVIF or BMP upright (EXIF orientation), in sRGB on black, with at most 512
 * pixels per side, and returns its size in the file. The first bytes alone determine the format. The header
 * is checked before pixels are decoded. Of a damaged JPEG the part that can be decoded is returned, of an
 * animation the frame with most detail. `runAlone` runs a decoder that needs more memory than others, while no
 * other one runs. Throws ImageError.
 */
export async function decodeImage(
  bytes: Uint8Array,
  { runAlone = (decode) => decode() }: DecodeOptions = {},
): Promise<DecodedImage> {
  if (bytes.length === 0) throw new ImageError("image_required", "The image is empty.");
  if (bytes.length > imageLimits.bytes)
    throw new ImageError("image_too_large", "The image has more than 10 MiB.");
  const format = detectFormat(bytes);
  if (format === undefined) {
    throw new ImageError("unsupported_image_type", describeUnsupported(bytes));
  }
  if (format === "bmp") return await runAlone(() => decodeBmpFile(bytes));
  // The decoder rejects a header with a side beyond 65,500 pixels.
  if (format === "jpeg" && readJpegHeader(bytes).pixels > imageLimits.pixels) {
    throw new ImageError("image_too_large", "The image has more than 50 million pixels.");
  }
  const header = await readHeader(bytes);
  checkHeader(header, format);
  const decode = () => decodeFile(bytes, format, header);
  return header.decoderBytes > SHARED_BYTES ? await runAlone(decode) : await decode();
}

/** Returns the detail of an image file, by which the frame of an animation is chosen. Throws ImageError. */
export async function measureImageDetail(bytes: Uint8Array): Promise<number> {
  return measureDetail((await decodeImage(bytes)).raster);
}

async function decodeBmpFile(bytes: Uint8Array): Promise<DecodedImage> {
  const { data, width, height } = await readBmp(bytes);
  const raster = await reduceImage(sharp(data, { ...sharpOptions, raw: { width, height, channels: 3 } }));
  return { raster, width, height };
}

async function readBmp(bytes: Uint8Array): Promise<BmpPixels> {
  try {
    return await decodeBmp(bytes, decoderLimits.bytes);
  } catch (cause) {
    const problem = cause instanceof BmpError ? cause.problem : "unreadable";
    if (problem === "too-large")
      throw new ImageError("image_too_large", "The image has too many pixels for a BMP.", { cause });
    if (problem === "unsupported")
      throw new ImageError("unsupported_image_type", "The BMP is compressed. Send it as PNG.", { cause });
    throw createUnreadableError(cause);
  }
}

type FileFormat = Exclude<ImageFormat, "bmp">;

function checkHeader({ width, height, decoderBytes, scans }: ImageHeader, format: FileFormat): void {
  const size = `${width} x ${height} pixels`;
  if (width * height > imageLimits.pixels)
    throw new ImageError("image_too_large", `The image has ${size}, more than 50 million.`);
  const limitBytes = format === "avif" ? decoderLimits.avifBytes : decoderLimits.bytes;
  if (decoderBytes > limitBytes) {
    const kind = {
      jpeg: "A progressive JPEG",
      png: "An interlaced or animated PNG",
      webp: "A lossless, transparent or animated WebP",
      gif: "A GIF",
      avif: "An AVIF",
    };
    const millions = Math.floor((limitBytes / decoderBytes) * ((width * height) / 100_000)) / 10;
    throw new ImageError(
      "image_too_large",
      `The image has ${size}. ${kind[format]} like it can have at most ${millions} million. ` +
        "Reduce it, or take a screenshot of it.",
    );
  }
  if (scans > decoderLimits.scans) {
    throw new ImageError("image_unreadable", `The image has more than ${decoderLimits.scans} scans.`);
  }
}

async function decodeFile(bytes: Uint8Array, format: FileFormat, header: ImageHeader): Promise<DecodedImage> {
  const { width, height, frameDelaysMs } = header;
  if (format === "jpeg") return { raster: await decodeJpeg(bytes, sharpOptions), width, height };
  const frames = selectFrames(frameDelaysMs.length, width * height, ANIMATION_PIXELS[format]);
  const best = await chooseFrame(bytes, frames);
  if (frameDelaysMs.length <= 1) return { raster: best.raster, width, height };
  const delayMs = frameDelaysMs.slice(0, best.frame).reduce((sum, delay) => sum + delay, 0);
  return { raster: best.raster, width, height, frameAtSeconds: Math.round(delayMs) / 1000 };
}

/** Decodes these frames and returns the one with most detail. */
async function chooseFrame(bytes: Uint8Array, frames: readonly number[]) {
  let best: { raster: Raster; frame: number; detail: number } | undefined;
  let at = 0;
  try {
    for await (const image of openFrames(bytes, frames, sharpOptions)) {
      const raster = await reduceImage(image);
      const detail = frames.length > 1 ? measureDetail(raster) : 0;
      if (best === undefined || detail > best.detail) best = { raster, frame: frames[at] ?? 0, detail };
      at++;
    }
  } catch (cause) {
    throw cause instanceof ImageError ? cause : createUnreadableError(cause);
  }
  if (best === undefined) throw createUnreadableError(undefined);
  return best;
}

/**
 * Returns the numbers of some frames, evenly distributed: as many as the limit of decoded pixels permits. Of a
 * long animation of large frames they are among its first ones.
 */
function selectFrames(count: number, pixels: number, limits: { all: number; leastFrame: number }): number[] {
  const most = Math.floor(limits.all / Math.max(limits.leastFrame, pixels));
  for (let candidates = Math.min(count, ANIMATION_CANDIDATES); candidates > 1; candidates--) {
    const frames = distribute(candidates, count);
    if (frames.reduce((sum, frame) => sum + frame + 1, 0) <= most) return frames;
  }
  // Both need at most two more frames than the animation that they are chosen from.
  return count > 1 && most > 3 ? distribute(2, Math.min(count, most - 2)) : [0];
}

function distribute(parts: number, count: number): number[] {
  return Array.from({ length: parts }, (_, part) => Math.floor(((part + 0.5) * count) / parts));
}

const sharpOptions: SharpOptions = { limitInputPixels: imageLimits.pixels, failOn: "warning" };

async function readHeader(bytes: Uint8Array): Promise<ImageHeader> {
  try {
    return await inspectImage(bytes);
  } catch (cause) {
    throw createUnreadableError(cause);
  }
}
