import type { Raster } from "../pixels/raster.ts";
import { stretch } from "../pixels/stretch.ts";

/**
 * Longest side for the detection of lines. A pixel is a third of a percent; JPEG noise and grain are averaged
 * out.
 */
const LONGEST_SIDE = 320;

/** Gradients of an image, on a reduced copy of it, in rows of `width` values. */
export type EdgeMaps = {
  width: number;
  height: number;
  /** Pixels of the raster per pixel of the maps. */
  scale: { x: number; y: number };
  /** Difference of the left and the right neighbour, in the colour that changes most. */
  across: Uint8Array;
  /** Difference of the upper and the lower neighbour. */
  down: Uint8Array;
  /** Signed differences of the brightness. */
  slopeX: Int16Array;
  slopeY: Int16Array;
};

/** Computes the central differences of an image of at most 320 pixels per side. */
export function createEdgeMaps(raster: Raster): EdgeMaps {
  const shrink = Math.min(1, LONGEST_SIDE / Math.max(raster.width, raster.height));
  const width = Math.max(1, Math.round(raster.width * shrink));
  const height = Math.max(1, Math.round(raster.height * shrink));
  const whole = { left: 0, top: 0, width: raster.width, height: raster.height };
  const pixels = shrink === 1 ? raster.pixels : stretch(raster, whole, width, height);
  const maps: EdgeMaps = {
    width,
    height,
    scale: { x: raster.width / width, y: raster.height / height },
    across: new Uint8Array(width * height),
    down: new Uint8Array(width * height),
    slopeX: new Int16Array(width * height),
    slopeY: new Int16Array(width * height),
  };
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      setChange(pixels, at, 1, maps.across, maps.slopeX);
      setChange(pixels, at, width, maps.down, maps.slopeY);
    }
  }
  return maps;
}

function setChange(pixels: Uint8Array, at: number, step: number, change: Uint8Array, slope: Int16Array) {
  const before = (at - step) * 3;
  const after = (at + step) * 3;
  const red = (pixels[after] ?? 0) - (pixels[before] ?? 0);
  const green = (pixels[after + 1] ?? 0) - (pixels[before + 1] ?? 0);
  const blue = (pixels[after + 2] ?? 0) - (pixels[before + 2] ?? 0);
  change[at] = Math.max(Math.abs(red), Math.abs(green), Math.abs(blue));
  slope[at] = (red + 2 * green + blue) >> 2;
}
