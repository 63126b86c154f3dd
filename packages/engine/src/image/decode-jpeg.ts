import { repairJpeg, type SharpOptions, sharp } from "@koma/image";
import type { Raster } from "../pixels/raster.ts";
import { createUnreadableError, reduceImage } from "./reduce-image.ts";

/** The fraction of a damaged JPEG that must be decoded. */
const LEAST_DECODED = 1 / 8;
/** The largest difference from the grey of blocks that are missing. */
const GREY_TOLERANCE = 2;

/**
 * Decodes a JPEG with at most 512 pixels per side. Of a damaged one it decodes what browsers show: libjpeg
 * reports errors in the data, bytes between segments and a missing end as warnings, and draws missing blocks
 * grey. Throws ImageError when an eighth of the image or less is decoded.
 */
export async function decodeJpeg(bytes: Uint8Array, options: SharpOptions): Promise<Raster> {
  try {
    return await reduceImage(sharp(bytes, { ...options, failOn: "warning" }));
  } catch {
    const raster = await decodeDamaged(bytes, { ...options, failOn: "none" });
    if (measureMissing(raster) >= 1 - LEAST_DECODED) throw createUnreadableError(undefined);
    return raster;
  }
}

async function decodeDamaged(bytes: Uint8Array, options: SharpOptions): Promise<Raster> {
  try {
    return await reduceImage(sharp(bytes, options));
  } catch (error) {
    const repaired = repairJpeg(bytes);
    if (repaired === undefined) throw error;
    return await reduceImage(sharp(repaired, options));
  }
}

/** Returns the fraction of pixels with the grey of missing blocks. */
function measureMissing({ pixels }: Raster): number {
  const isGrey = (at: number) => Math.abs((pixels[at] ?? 0) - 128) <= GREY_TOLERANCE;
  let missing = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    if (isGrey(at) && isGrey(at + 1) && isGrey(at + 2)) missing++;
  }
  return (missing * 3) / pixels.length;
}
