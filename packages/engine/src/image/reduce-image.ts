import type { Sharp } from "@koma/image";
import type { Raster } from "../pixels/raster.ts";
import { ImageError } from "./image-error.ts";

/** Longest side of decoded images: more pixels than a descriptor uses, and enough for exact borders. */
const LONGEST_SIDE = 512;
const TIMEOUT_SECONDS = 10;

/**
 * Decodes an image upright (EXIF orientation), in sRGB on black, with at most 512 pixels per side. Throws
 * ImageError.
 */
export async function reduceImage(image: Sharp): Promise<Raster> {
  try {
    const { data, info } = await image
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#000000" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const pixels = info.channels === 1 ? spreadGrey(data) : data;
    return { pixels, width: info.width, height: info.height };
  } catch (cause) {
    throw createUnreadableError(cause);
  }
}

/** The error of an image that the decoder rejects. */
export function createUnreadableError(cause: unknown): ImageError {
  return new ImageError("image_unreadable", "The image is corrupt or truncated.", { cause });
}

function spreadGrey(grey: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(grey.length * 3);
  for (let at = 0; at < grey.length; at++) pixels.fill(grey[at] ?? 0, at * 3, at * 3 + 3);
  return pixels;
}
