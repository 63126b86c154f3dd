import {
  BmpError,
  type BmpPixels,
  decodeBmp,
  decoderLimits,
  type ImageHeader,
  inspectImage,
  readJpegHeader,
  type SharpOptions,
  sharp,
} from "@koma/image";
import type { Raster } from "../pixels/raster.ts";
import { decodeJpeg } from "./decode-jpeg.ts";
import { ImageError } from "./image-error.ts";
import { detectFormat, type ImageFormat } from "./image-format.ts";
import { imageLimits } from "./image-limits.ts";
import { measureDetail } from "./measure-detail.ts";
import { createUnreadableError, reduceImage } from "./reduce-image.ts";

/**
 * Pixels that are decoded to choose a frame of an animation. A decoder reads all frames before the chosen
 * one, and a tiny frame takes as long as one of 10,000 pixels.
 */
const ANIMATION_PIXELS = 100_000_000;
const LEAST_FRAME_PIXELS = 10_000;
const ANIMATION_CANDIDATES = 8;

/** The reduced pixels of an image, and its size in the file. */
export type DecodedImage = {
  raster: Raster;
  width: number;
  height: number;
  /** The time of the chosen frame; missing for an image of one frame. */
  frameAtSeconds?: number;
};

/**
 * Decodes a JPEG, PNG, WebP, GIF, AVIF or BMP upright (EXIF orientation), in sRGB on black, with at most 512
 * pixels per side, and returns its size in the file. The first bytes alone determine the format. The header
 * is checked before pixels are decoded. Of a damaged JPEG the part that can be decoded is returned, of an
 * animation the frame with most detail. Throws ImageError.
 */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  if (bytes.length === 0) throw new ImageError("image_required", "The image is empty.");
  if (bytes.length > imageLimits.bytes)
    throw new ImageError("image_too_large", "The image has more than 10 MiB.");
  const format = detectFormat(bytes);
  if (format === undefined) {
    throw new ImageError("unsupported_image_type", "The image is no JPEG, PNG, WebP, GIF, AVIF or BMP.");
  }
  if (format === "bmp") return await decodeBmpFile(bytes);
  // The decoder rejects a header with a side beyond 65,500 pixels.
  if (format === "jpeg" && readJpegHeader(bytes).pixels > imageLimits.pixels) {
    throw new ImageError("image_too_large", "The image has more than 50 million pixels.");
  }
  const header = await readHeader(bytes);
  checkHeader(header, format);
  const { width, height, frameDelaysMs } = header;
  if (format === "jpeg") return { raster: await decodeJpeg(bytes, sharpOptions), width, height };
  if (frameDelaysMs.length <= 1) return { raster: await decodeFrame(bytes, 0), width, height };
  return { ...(await decodeAnimation(bytes, header)), width, height };
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

function checkHeader(
  { width, height, decoderBytes, scans }: ImageHeader,
  format: Exclude<ImageFormat, "bmp">,
): void {
  if (width * height > imageLimits.pixels) {
    throw new ImageError(
      "image_too_large",
      `The image has ${width} x ${height} pixels, more than 50 million.`,
    );
  }
  if (decoderBytes > decoderLimits.bytes) {
    const kind = {
      jpeg: "a progressive JPEG",
      png: "an interlaced PNG",
      webp: "a WebP",
      gif: "a GIF",
      avif: "an AVIF",
    };
    throw new ImageError("image_too_large", `The image has too many pixels for ${kind[format]}.`);
  }
  if (scans > decoderLimits.scans) {
    throw new ImageError("image_unreadable", `The image has more than ${decoderLimits.scans} scans.`);
  }
}

/** Decodes some frames, evenly distributed, and returns the one with most detail. */
async function decodeAnimation(bytes: Uint8Array, { width, height, frameDelaysMs }: ImageHeader) {
  const frames = selectFrames(frameDelaysMs.length, Math.max(LEAST_FRAME_PIXELS, width * height));
  let best: { raster: Raster; frame: number; detail: number } | undefined;
  for (const frame of frames) {
    const raster = await decodeFrame(bytes, frame);
    const detail = measureDetail(raster);
    if (best === undefined || detail > best.detail) best = { raster, frame, detail };
  }
  if (best === undefined) throw createUnreadableError(undefined);
  const delayMs = frameDelaysMs.slice(0, best.frame).reduce((sum, delay) => sum + delay, 0);
  return { raster: best.raster, frameAtSeconds: delayMs / 1000 };
}

/** Returns as many frame numbers as the limit of decoded pixels permits; the first frame at least. */
function selectFrames(count: number, pixels: number): number[] {
  for (let candidates = Math.min(count, ANIMATION_CANDIDATES); candidates > 1; candidates--) {
    const frames = Array.from({ length: candidates }, (_, i) => Math.floor(((i + 0.5) * count) / candidates));
    const decoded = frames.reduce((sum, frame) => sum + (frame + 1) * pixels, 0);
    if (decoded <= ANIMATION_PIXELS) return frames;
  }
  return [0];
}

const sharpOptions: SharpOptions = { limitInputPixels: imageLimits.pixels, failOn: "warning" };

function decodeFrame(bytes: Uint8Array, frame: number): Promise<Raster> {
  return reduceImage(sharp(bytes, { ...sharpOptions, page: frame }));
}

async function readHeader(bytes: Uint8Array): Promise<ImageHeader> {
  try {
    return await inspectImage(bytes);
  } catch (cause) {
    throw createUnreadableError(cause);
  }
}
