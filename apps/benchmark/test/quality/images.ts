import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
import type { Raster } from "../../src/quality/raster/raster.ts";

/** Draws a frame in the style of a video. */
export function sampleFrame(seed: string): Raster {
  return drawScene(`test ${seed}`, 480, 270);
}

export function colourAt({ width, pixels }: Raster, x: number, y: number): number[] {
  return [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
}

/** Returns the mean absolute difference of all values, 0..255; images must have one size. */
export function difference(a: Raster, b: Raster): number {
  if (a.width !== b.width || a.height !== b.height)
    throw new Error(`${a.width}x${a.height} is not ${b.width}x${b.height}`);
  let sum = 0;
  for (let i = 0; i < a.pixels.length; i++) sum += Math.abs((a.pixels[i] ?? 0) - (b.pixels[i] ?? 0));
  return sum / a.pixels.length;
}
