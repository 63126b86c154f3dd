import sharp from "sharp";
import { imageLimits } from "./image-limits.ts";
import { countJpegPixels, hasTooManyScans } from "./jpeg-scans.ts";
import { PictureError } from "./picture-error.ts";
import type { Raster } from "./raster.ts";

/** Longest side that pictures are looked at with; more than a descriptor sees, enough to find borders exactly. */
const LONGEST_SIDE = 512;
const TIMEOUT_SECONDS = 10;

const SIGNATURES = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];

/**
 * Reads a JPEG or PNG upright (EXIF orientation), in sRGB on black, at most 512 pixels long, with the size it has in the file. What a file is
 * is told by its first bytes alone; its header is checked before a pixel is decoded. Throws PictureError.
 */
export async function decodePicture(
  bytes: Uint8Array,
): Promise<{ raster: Raster; width: number; height: number }> {
  if (bytes.length === 0) throw new PictureError("image_required", "The picture is empty.");
  if (bytes.length > imageLimits.bytes)
    throw new PictureError("image_too_large", "The picture has more than 10 MiB.");
  if (!SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte))) {
    throw new PictureError("unsupported_image_type", "The picture is neither a JPEG nor a PNG.");
  }
  if (bytes[0] === 0xff && hasTooManyScans(bytes)) {
    throw new PictureError("image_unreadable", "The picture has more scans than any encoder writes.");
  }
  // The decoder takes no side beyond 65 500 pixels for a header at all.
  if (bytes[0] === 0xff && countJpegPixels(bytes) > imageLimits.pixels) {
    throw new PictureError("image_too_large", "The picture has more than 50 million pixels.");
  }
  const { width, height, interlacedBytes } = await readHeader(bytes);
  if (width * height > imageLimits.pixels) {
    throw new PictureError(
      "image_too_large",
      `The picture has ${width} x ${height} pixels, more than 50 million.`,
    );
  }
  if (interlacedBytes > imageLimits.interlacedBytes) {
    throw new PictureError("image_too_large", "The picture is too large for an interlaced PNG.");
  }
  try {
    // What a JPEG decoder only warns of is damaged data, and grey from there on.
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

/** Size as shown, after orientation, and how many bytes the pixels of an interlaced PNG take. */
async function readHeader(
  bytes: Uint8Array,
): Promise<{ width: number; height: number; interlacedBytes: number }> {
  try {
    const header = await sharp(bytes, { limitInputPixels: false, failOn: "error" }).metadata();
    const { width, height } = header.autoOrient;
    const isInterlaced = header.format === "png" && header.isProgressive;
    const pixelBytes = header.channels * (header.depth === "ushort" ? 2 : 1);
    return { width, height, interlacedBytes: isInterlaced ? width * height * pixelBytes : 0 };
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): PictureError {
  return new PictureError("image_unreadable", "The picture is damaged or cut off.", { cause });
}

function spreadGrey(grey: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(grey.length * 3);
  for (let at = 0; at < grey.length; at++) pixels.fill(grey[at] ?? 0, at * 3, at * 3 + 3);
  return pixels;
}
