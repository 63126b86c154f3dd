import type { Raster } from "../raster/raster.ts";
import { lumaOf } from "../raster/tone.ts";

const [columns, rows] = [16, 9];
// Measured on five videos: title cards, credits, glows and fades are below 6, nine in ten other frames above
// 9.
const leastStep = 6;

/**
 * Returns false for images with hardly any content: black, one colour, a faint glow, words on a plain
 * background. It measures the differences of 16 by 9 parts, of their dark tones and of their light ones.
 * Bright words on a dark background leave the dark tones even, dark words on a bright background the light
 * ones; a scene leaves neither even.
 */
export function isInformativeImage(raster: Raster): boolean {
  const parts = Array.from({ length: columns * rows }, (_, i) =>
    partTones(raster, i % columns, Math.floor(i / columns)),
  );
  return (
    Math.min(meanStep(parts.map(({ dark }) => dark)), meanStep(parts.map(({ light }) => light))) >= leastStep
  );
}

/** Returns the 15th and the 85th percentile of the luma of a part, to 4 levels. */
function partTones({ width, height, pixels }: Raster, column: number, row: number) {
  const histogram = new Uint16Array(64);
  let count = 0;
  for (let y = Math.floor((row * height) / rows); y < ((row + 1) * height) / rows; y += 2) {
    for (let x = Math.floor((column * width) / columns); x < ((column + 1) * width) / columns; x += 2) {
      const at = (y * width + x) * 3;
      const bin = lumaOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) >> 2;
      histogram[bin] = (histogram[bin] ?? 0) + 1;
      count++;
    }
  }
  const below = (share: number): number => {
    let [bin, seen] = [0, histogram[0] ?? 0];
    while (seen <= count * share && bin < 63) seen += histogram[++bin] ?? 0;
    return bin * 4;
  };
  return { dark: below(0.15), light: below(0.85) };
}

/** Returns the mean difference between neighbours, to the right and below. */
function meanStep(values: readonly number[]): number {
  let [sum, count] = [0, 0];
  for (const [i, value] of values.entries()) {
    const right = i % columns < columns - 1 ? values[i + 1] : undefined;
    for (const neighbour of [right, values[i + columns]]) {
      if (neighbour === undefined) continue;
      sum += Math.abs(value - neighbour);
      count++;
    }
  }
  return sum / count;
}
