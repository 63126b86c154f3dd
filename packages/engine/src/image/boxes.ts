import type { Box } from "../pixels/raster.ts";

/** Returns the smallest box around all of these. */
export function uniteBoxes(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** Adds `margin` pixels to each side of a box, as far as it stays within another one. */
export function widenBox({ left, top, width, height }: Box, margin: number, within: Box): Box {
  const [x, y] = [Math.max(within.left, left - margin), Math.max(within.top, top - margin)];
  return {
    left: x,
    top: y,
    width: Math.min(within.left + within.width, left + width + margin) - x,
    height: Math.min(within.top + within.height, top + height + margin) - y,
  };
}
