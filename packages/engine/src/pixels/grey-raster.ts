import type { Raster } from "./raster.ts";
import { stretch } from "./stretch.ts";

/** Longest side: a scene that fills a fifth of the image still has as many pixels as a frame's thumbnail. */
const LONGEST_SIDE = 192;

/** Brightness 0..255 of an image, row by row. */
export type GreyRaster = { values: Float32Array; width: number; height: number };

/** Returns the brightness (ITU-R BT.601) of a raster, reduced to at most 192 pixels per side. */
export function createGreyRaster(raster: Raster): GreyRaster {
  const factor = Math.min(1, LONGEST_SIDE / Math.max(raster.width, raster.height));
  const width = Math.max(1, Math.round(raster.width * factor));
  const height = Math.max(1, Math.round(raster.height * factor));
  const whole = { left: 0, top: 0, width: raster.width, height: raster.height };
  const pixels = stretch(raster, whole, width, height);
  // Another thread searches, and reads it there.
  const values = new Float32Array(new SharedArrayBuffer(width * height * Float32Array.BYTES_PER_ELEMENT));
  for (let at = 0, from = 0; at < values.length; at++, from += 3) {
    values[at] =
      0.299 * (pixels[from] ?? 0) + 0.587 * (pixels[from + 1] ?? 0) + 0.114 * (pixels[from + 2] ?? 0);
  }
  return { values, width, height };
}
