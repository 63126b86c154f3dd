import type { Box } from "../pixels/raster.ts";
import { boxOfQuad, type Quad } from "./quad.ts";

/** Converts a box of the image to pixels of a view of this size; `corners` are the corners of the view. */
export function boxInView(box: Box, corners: Quad, size: { width: number; height: number }): Box {
  const view = boxOfQuad(corners) ?? { left: 0, top: 0, width: 1, height: 1 };
  const toX = (x: number) => ((x - view.left) / view.width) * size.width;
  const toY = (y: number) => ((y - view.top) / view.height) * size.height;
  const left = Math.max(0, Math.floor(toX(box.left)));
  const top = Math.max(0, Math.floor(toY(box.top)));
  return {
    left,
    top,
    width: Math.min(size.width, Math.ceil(toX(box.left + box.width))) - left,
    height: Math.min(size.height, Math.ceil(toY(box.top + box.height))) - top,
  };
}

/**
 * Replaces a box by colours between those beside it, each weighted by its inverse distance: a descriptor of one
 * colour would be that of a frame with such a box.
 */
export function fillCover(pixels: Uint8Array, size: { width: number; height: number }, box: Box): void {
  const { left, top, width, height } = box;
  const [right, bottom] = [left + width, top + height];
  const at = (x: number, y: number) => (y * size.width + x) * 3;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const sources = [
        left > 0 ? { from: at(left - 1, y), weight: 1 / (x - left + 1) } : undefined,
        right < size.width ? { from: at(right, y), weight: 1 / (right - x) } : undefined,
        top > 0 ? { from: at(x, top - 1), weight: 1 / (y - top + 1) } : undefined,
        bottom < size.height ? { from: at(x, bottom), weight: 1 / (bottom - y) } : undefined,
      ].filter((source) => source !== undefined);
      const total = sources.reduce((sum, { weight }) => sum + weight, 0);
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (const { from, weight } of sources) sum += weight * (pixels[from + channel] ?? 0);
        pixels[at(x, y) + channel] = sum / total;
      }
    }
  }
}
