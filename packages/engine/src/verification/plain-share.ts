import { createCoverTest } from "../image/cover.ts";
import type { Cover, Region } from "../image/image-description.ts";
import type { GreyRaster } from "../pixels/grey-raster.ts";

/** Values that differ by at most this are one colour. */
const TOLERANCE = 3;
/** Every second pixel of every second row is counted. */
const STEP = 2;

/**
 * Returns the largest share of a part of an image that has one brightness, 0..1. The ground around a disc does not
 * count; a box that hides something does, because blank parts of a page look like one.
 */
export function plainShareOf({ values, width, height }: GreyRaster, region: Region, cover?: Cover): number {
  const isGround = cover?.isRound === true ? createCoverTest(cover, { width, height }) : () => false;
  const counts = new Uint16Array(256);
  const [left, top] = [Math.floor(region.x * width), Math.floor(region.y * height)];
  const right = Math.min(width, Math.ceil((region.x + region.width) * width));
  const bottom = Math.min(height, Math.ceil((region.y + region.height) * height));
  let total = 0;
  for (let y = top; y < bottom; y += STEP) {
    for (let x = left; x < right; x += STEP) {
      if (isGround(x + 0.5, y + 0.5)) continue;
      const level = Math.round(values[y * width + x] ?? 0);
      counts[level] = (counts[level] ?? 0) + 1;
      total++;
    }
  }
  let most = 0;
  for (let level = 0; level < 256; level++) {
    let near = 0;
    for (let other = level - TOLERANCE; other <= level + TOLERANCE; other++) near += counts[other] ?? 0;
    most = Math.max(most, near);
  }
  return total > 0 ? most / total : 0;
}
