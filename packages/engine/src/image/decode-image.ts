import { decoderLimits, type ImageHeader, inspectImage, readJpegHeader, sharp } from "@koma/image";
import { ImageError } from "./image-error.ts";
import { imageLimits } from "./image-limits.ts";
import type { Raster } from "./raster.ts";

/** Longest side of decoded images: more pixels than a descriptor uses, and enough for exact borders. */
const LONGEST_SIDE = 512;
const TIMEOUT_SECONDS = 10;

const SIGNATURES = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];

/** The reduced pixels of an image, and its size in the file. */
export type DecodedImage = { raster: Raster; width: number; height: number };

/**
 * Decodes a JPEG or PNG upright (EXIF orientation), in sRGB on black, with at most 512 pixels per side, and
 * returns its size in the file. The first bytes alone determine the format. The header is checked before
 * pixels are decoded. Throws ImageError.
 */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  if (bytes.length === 0) throw new ImageError("image_required", "The image is empty.");
  if (bytes.length > imageLimits.bytes)
    throw new ImageError("image_too_large", "The image has more than 10 MiB.");
  if (!SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte))) {
    throw new ImageError("unsupported_image_type", "The image is neither a JPEG nor a PNG.");
  }
  // The decoder rejects a header with a side beyond 65,500 pixels.
  if (bytes[0] === 0xff && readJpegHeader(bytes).pixels > imageLimits.pixels) {
    throw new ImageError("image_too_large", "The image has more than 50 million pixels.");
  }
  const { width, height, decoderBytes, scans } = await readHeader(bytes);
  if (width * height > imageLimits.pixels) {
    throw new ImageError(
      "image_too_large",
      `The image has ${width} x ${height} pixels, more than 50 million.`,
    );
  }
  if (decoderBytes > decoderLimits.bytes) {
    throw new ImageError(
      "image_too_large",
      "The image is too large for a progressive JPEG or an interlaced PNG.",
    );
  }
  if (scans > decoderLimits.scans) {
    throw new ImageError("image_unreadable", `The image has more than ${decoderLimits.scans} scans.`);
  }
  try {
    // A JPEG decoder reports corrupt data as a warning and fills the remaining pixels with grey.
    const { data, info } = await sharp(bytes, { limitInputPixels: imageLimits.pixels, failOn: "warning" })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#000000" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const pixels = info.channels === 1 ? spreadGrey(data) : data;
    return { raster: { pixels, width: info.width, height: info.height }, width, height };
  } catch (cause) {
    throw unreadable(cause);
  }
}

async function readHeader(bytes: Uint8Array): Promise<ImageHeader> {
  try {
    return await inspectImage(bytes);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): ImageError {
  return new ImageError("image_unreadable", "The image is corrupt or truncated.", { cause });
}

function spreadGrey(grey: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(grey.length * 3);
  for (let at = 0; at < grey.length; at++) pixels.fill(grey[at] ?? 0, at * 3, at * 3 + 3);
  return pixels;
}
