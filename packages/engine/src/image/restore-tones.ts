import type { Raster } from "../pixels/raster.ts";
import { hasTwoTones, soften } from "./soften.ts";

/** Shares of the values of colours that are darker and brighter than the range of an image. */
const OUTSIDE = 0.005;
/** An image with a smaller range has hardly any content; one with a larger range is described well as it is. */
const LEAST_RANGE = 16;
const MOST_RANGE = 96;
/** Every so many pixels are counted. */
const STEP = 13;

/**
 * Returns an image that has lost its tones with others: one in black and white softened, a very dark or pale one with
 * full contrast. Returns undefined for other images.
 */
export function restoreTones(raster: Raster): Raster | undefined {
  if (hasTwoTones(raster)) return soften(raster);
  const { low, range } = measureRange(raster);
  if (range < LEAST_RANGE || range > MOST_RANGE) return undefined;
  // A typed array rounds and limits them.
  const values = Uint8ClampedArray.from({ length: 256 }, (_, value) => ((value - low) * 255) / range);
  return { ...raster, pixels: raster.pixels.map((value) => values[value] ?? 0) };
}

/** Returns the values between which nearly all values of colours are. */
function measureRange({ pixels }: Raster): { low: number; range: number } {
  const counts = new Uint32Array(256);
  let all = 0;
  for (let at = 0; at + 2 < pixels.length; at += 3 * STEP) {
    for (let channel = at; channel < at + 3; channel++, all++) {
      const value = pixels[channel] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
  const limit = (from: number, step: number) => {
    let left = all * OUTSIDE;
    let value = from;
    while (value >= 0 && value <= 255) {
      left -= counts[value] ?? 0;
      if (left < 0) break;
      value += step;
    }
    return value;
  };
  const low = limit(0, 1);
  return { low, range: limit(255, -1) - low };
}
