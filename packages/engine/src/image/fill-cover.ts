import type { Box } from "../pixels/raster.ts";

/** Converts a box of the image to pixels of a view of this size, which shows a part of the image. */
export function boxInView(box: Box, view: Box, size: { width: number; height: number }): Box {
  const toX = (x: number) => ((x - view.left) / view.width) * size.width;
  const toY = (y: number) => ((y - view.top) / view.height) * size.height;
  return {
    left: toX(box.left),
    top: toY(box.top),
    width: (box.width / view.width) * size.width,
    height: (box.height / view.height) * size.height,
  };
}

/**
 * Replaces a box by colours between those beside it, each weighted by its inverse distance: a descriptor of one
 * colour would be that of a frame with such a box.
 */
export function fillCover(pixels: Uint8Array, size: { width: number; height: number }, box: Box): void {
  const left = Math.max(0, Math.floor(box.left));
  const top = Math.max(0, Math.floor(box.top));
  const right = Math.min(size.width, Math.ceil(box.left + box.width));
  const bottom = Math.min(size.height, Math.ceil(box.top + box.height));
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

/** The edge of a disc, in fractions of its radius: its last pixels are mixed with the ground. */
const EDGE = 0.97;

/** Replaces what is outside of the ellipse inside a box by its mirror image at the edge of the ellipse. */
export function fillAround(pixels: Uint8Array, size: { width: number; height: number }, box: Box): void {
  const [radiusX, radiusY] = [box.width / 2, box.height / 2];
  const [middleX, middleY] = [box.left + radiusX, box.top + radiusY];
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const across = (x + 0.5 - middleX) / radiusX;
      const down = (y + 0.5 - middleY) / radiusY;
      const distance = Math.hypot(across, down);
      if (distance <= 1) continue;
      const share = Math.max(0, 2 * EDGE - distance) / distance;
      const fromX = clamp(Math.floor(middleX + across * radiusX * share), size.width);
      const fromY = clamp(Math.floor(middleY + down * radiusY * share), size.height);
      const from = (fromY * size.width + fromX) * 3;
      pixels.copyWithin((y * size.width + x) * 3, from, from + 3);
    }
  }
}

function clamp(at: number, length: number): number {
  return Math.min(length - 1, Math.max(0, at));
}
