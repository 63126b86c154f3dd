import type { EdgeMaps } from "./edge-maps.ts";

/** Weaker changes are noise; a long faint edge outweighs a short hard one. */
const LEAST_SLOPE = 8;
const MOST_SLOPE = 40;
/** The tangent of the largest angle between an edge and a side of the image at which they are parallel. */
const PARALLEL = Math.tan((7.5 * Math.PI) / 180);
/** Edges of random directions have a sixth. */
const MOST_PARALLEL = 0.22;

/**
 * False for an image that cannot be rotated by 15 to 75 degrees, because more of its edges than by chance are
 * parallel to its sides: most scenes, and all pages and interfaces. An image without edges counts as tilted.
 */
export function isTilted({ width, height, slopeX, slopeY }: EdgeMaps): boolean {
  let [all, parallel] = [0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const across = Math.abs(sumOfThree(slopeX, at, width));
      const down = Math.abs(sumOfThree(slopeY, at, 1));
      const most = Math.max(across, down);
      if (most < LEAST_SLOPE) continue;
      const weight = Math.min(most, MOST_SLOPE);
      all += weight;
      if (Math.min(across, down) <= PARALLEL * most) parallel += weight;
    }
  }
  return parallel <= all * MOST_PARALLEL;
}

/** Weighs neighbours as the operator of Sobel does: a slope of one pixel of a hard edge has few directions. */
function sumOfThree(slopes: Int16Array, at: number, step: number): number {
  return ((slopes[at - step] ?? 0) + 2 * (slopes[at] ?? 0) + (slopes[at + step] ?? 0)) / 4;
}
