import type { GreyPyramid } from "./grey-pyramid.ts";
import type { Projection } from "./projection.ts";

/** A grid of samples; samples whose `valid` is 0 are not compared. Patches are reused. */
export type Patch = { width: number; height: number; values: Float64Array; valid: Uint8Array };

export function createPatch(width: number, height: number): Patch {
  return {
    width,
    height,
    values: new Float64Array(width * height),
    valid: new Uint8Array(width * height),
  };
}

/**
 * Fills a patch, which spans -0.5 .. 0.5, with the projected part of an image. Samples are means of two by
 * two pixels of the level whose pixel distance is about that of the samples. Samples outside of the image are
 * invalid.
 */
export function samplePatch({ levels }: GreyPyramid, p: Projection, patch: Patch): void {
  const { width, height, values, valid } = patch;
  const [p0, p1, p2, p3, p4, p5, p6, p7, p8] = p as unknown as number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const area = Math.abs(p0 * p4 - p1 * p3) / (width * height);
  const idealLevel = Math.floor(Math.log2(Math.max(1, Math.sqrt(area))) + 0.4);
  const level = Math.max(0, Math.min(levels.length - 1, idealLevel));
  const from = levels[level];
  if (from === undefined) return;
  const factor = 1 / 2 ** level;
  const [lastX, lastY] = [from.width - 1, from.height - 1];
  for (let row = 0, at = 0; row < height; row++) {
    const y = (row + 0.5) / height - 0.5;
    for (let column = 0; column < width; column++, at++) {
      const x = (column + 0.5) / width - 0.5;
      const depth = p6 * x + p7 * y + p8;
      let sx = ((p0 * x + p1 * y + p2) / depth) * factor - 0.5;
      let sy = ((p3 * x + p4 * y + p5) / depth) * factor - 0.5;
      if (depth <= 0 || !(sx >= -0.75 && sy >= -0.75 && sx <= lastX + 0.75 && sy <= lastY + 0.75)) {
        valid[at] = 0;
        values[at] = 0;
        continue;
      }
      sx = sx < 0 ? 0 : sx > lastX ? lastX : sx;
      sy = sy < 0 ? 0 : sy > lastY ? lastY : sy;
      const left = sx | 0;
      const top = sy | 0;
      const right = left < lastX ? 1 : 0;
      const below = top < lastY ? from.width : 0;
      const corner = top * from.width + left;
      const [shareX, shareY] = [sx - left, sy - top];
      const upper = (from.values[corner] ?? 0) * (1 - shareX) + (from.values[corner + right] ?? 0) * shareX;
      const lower =
        (from.values[corner + below] ?? 0) * (1 - shareX) +
        (from.values[corner + below + right] ?? 0) * shareX;
      values[at] = upper * (1 - shareY) + lower * shareY;
      valid[at] = 1;
    }
  }
}

/**
 * Subtracts the mean of a window and divides by its deviation, so that light, contrast and tint have no
 * effect.
 */
export function createLocalNormaliser(largestWidth: number, largestHeight: number) {
  const size = (largestWidth + 1) * (largestHeight + 1);
  const sums = new Float64Array(size);
  const squares = new Float64Array(size);
  const counts = new Float64Array(size);

  /**
   * Normalises in place. `reach`: radius of the window. `softness`: much smaller deviations count as blank.
   */
  return (patch: Patch, reach: number, softness: number): void => {
    const { width, height, values, valid } = patch;
    const stride = width + 1;
    sums.fill(0, 0, stride);
    squares.fill(0, 0, stride);
    counts.fill(0, 0, stride);
    for (let y = 0, at = 0; y < height; y++) {
      let [sum, square, count] = [0, 0, 0];
      let to = (y + 1) * stride;
      sums[to] = squares[to] = counts[to] = 0;
      for (let x = 0; x < width; x++, at++) {
        if (valid[at] === 1) {
          const value = values[at] ?? 0;
          sum += value;
          square += value * value;
          count++;
        }
        to++;
        sums[to] = (sums[to - stride] ?? 0) + sum;
        squares[to] = (squares[to - stride] ?? 0) + square;
        counts[to] = (counts[to - stride] ?? 0) + count;
      }
    }
    for (let y = 0, at = 0; y < height; y++) {
      const upper = Math.max(0, y - reach) * stride;
      const lower = Math.min(height, y + reach + 1) * stride;
      for (let x = 0; x < width; x++, at++) {
        if (valid[at] !== 1) continue;
        const left = x > reach ? x - reach : 0;
        const right = Math.min(width, x + reach + 1);
        const a = lower + right;
        const b = upper + right;
        const c = lower + left;
        const d = upper + left;
        const count = (counts[a] ?? 0) - (counts[b] ?? 0) - (counts[c] ?? 0) + (counts[d] ?? 0);
        const mean = ((sums[a] ?? 0) - (sums[b] ?? 0) - (sums[c] ?? 0) + (sums[d] ?? 0)) / count;
        const square =
          ((squares[a] ?? 0) - (squares[b] ?? 0) - (squares[c] ?? 0) + (squares[d] ?? 0)) / count;
        const variance = square - mean * mean;
        values[at] = ((values[at] ?? 0) - mean) / (Math.sqrt(variance > 0 ? variance : 0) + softness);
      }
    }
  };
}
