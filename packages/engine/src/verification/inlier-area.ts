import type { Patch } from "./patch.ts";

const TILE = { width: 5, height: 4 };
/** Tiles with less power in both are neither inliers nor outliers. */
const LEAST_POWER = 0.15;
/** 20 neighbouring pixels of unrelated frames exceed this correlation in about one of eight tiles. */
const LEAST_CORRELATION = 0.6;

/** Shares of the tiles of a frame that agree with the image, and that have content and differ from it. */
export type InlierArea = {
  /** Share of the frame's area whose tiles agree, 0..1. */
  inliers: number;
  /**
   * Share of the frame's area whose tiles have content in the frame or in the image and do not agree, 0..1.
   */
  outliers: number;
};

/**
 * Compares a frame tile by tile with the aligned part of the image. An overlay on a third of the frame
 * destroys the correlation of the whole, but only that of a third of the tiles.
 */
export function measureInlierArea(frame: Patch, patch: Patch): InlierArea {
  const { width, height } = frame;
  let inliers = 0;
  let outliers = 0;
  let tiles = 0;
  for (let top = 0; top + TILE.height <= height; top += TILE.height) {
    for (let left = 0; left + TILE.width <= width; left += TILE.width) {
      tiles++;
      let product = 0;
      let powerOfFrame = 0;
      let powerOfPatch = 0;
      let compared = 0;
      for (let y = top; y < top + TILE.height; y++) {
        for (let at = y * width + left; at < y * width + left + TILE.width; at++) {
          if (patch.valid[at] !== 1) continue;
          const a = frame.values[at] ?? 0;
          const b = patch.values[at] ?? 0;
          product += a * b;
          powerOfFrame += a * a;
          powerOfPatch += b * b;
          compared++;
        }
      }
      const isCompared = compared * 2 >= TILE.width * TILE.height;
      if (!isCompared || Math.max(powerOfFrame, powerOfPatch) < LEAST_POWER * compared) continue;
      const correlation = product / Math.sqrt(powerOfFrame * powerOfPatch + 1e-6);
      if (correlation >= LEAST_CORRELATION) inliers++;
      else outliers++;
    }
  }
  return { inliers: inliers / tiles, outliers: outliers / tiles };
}
