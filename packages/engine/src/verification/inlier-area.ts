import type { Patch } from "./patch.ts";

const TILE = { width: 5, height: 4 };
/** Tiles with less power than this in both show too little to agree or to differ. */
const LEAST_POWER = 0.15;
/** Chance correlates 20 neighbouring pixels of unrelated frames this well in about one tile of eight. */
const LEAST_CORRELATION = 0.6;

/** Tiles of a frame: how many of all agree with the picture, and how many of those that show something differ from it. */
export type InlierArea = {
  /** Share of the frame's area whose tiles agree, 0..1. */
  inliers: number;
  /** Share of the frame's area whose tiles show something in the frame or in the picture and do not agree, 0..1. */
  outliers: number;
};

/**
 * Compares a frame with what a picture shows in its place tile by tile. What is laid over a third of the frame ruins the
 * correlation of the whole, but only a third of the tiles.
 */
export function measureInlierArea(frame: Patch, patch: Patch): InlierArea {
  const { width, height } = frame;
  let [inliers, outliers, tiles] = [0, 0, 0];
  for (let top = 0; top + TILE.height <= height; top += TILE.height) {
    for (let left = 0; left + TILE.width <= width; left += TILE.width) {
      tiles++;
      let [product, powerOfFrame, powerOfPatch, seen] = [0, 0, 0, 0];
      for (let y = top; y < top + TILE.height; y++) {
        for (let at = y * width + left; at < y * width + left + TILE.width; at++) {
          if (patch.valid[at] !== 1) continue;
          const a = frame.values[at] ?? 0;
          const b = patch.values[at] ?? 0;
          product += a * b;
          powerOfFrame += a * a;
          powerOfPatch += b * b;
          seen++;
        }
      }
      const isSeen = seen * 2 >= TILE.width * TILE.height;
      if (!isSeen || Math.max(powerOfFrame, powerOfPatch) < LEAST_POWER * seen) continue;
      const correlation = product / Math.sqrt(powerOfFrame * powerOfPatch + 1e-6);
      if (correlation >= LEAST_CORRELATION) inliers++;
      else outliers++;
    }
  }
  return { inliers: inliers / tiles, outliers: outliers / tiles };
}
