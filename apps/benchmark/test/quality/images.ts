import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
import type { Raster, Rectangle } from "../../src/quality/raster/raster.ts";
import { lumaOf } from "../../src/quality/raster/tone.ts";

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

/** Returns the mean of each channel within a part (of the whole by default). */
export function meanColour(raster: Raster, part?: Rectangle): [red: number, green: number, blue: number] {
  const area = part ?? { x: 0, y: 0, width: raster.width, height: raster.height };
  const sums: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let y = Math.round(area.y); y < area.y + area.height; y++) {
    for (let x = Math.round(area.x); x < area.x + area.width; x++) {
      const [red = 0, green = 0, blue = 0] = colourAt(raster, x, y);
      sums[0] += red;
      sums[1] += green;
      sums[2] += blue;
      count++;
    }
  }
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

/** Returns the mean luma difference of horizontal neighbours: falls with blur, rises with sharpening. */
export function detail({ width, height, pixels }: Raster): number {
  let sum = 0;
  const luma = (at: number) => lumaOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
  for (let y = 0; y < height; y++)
    for (let x = 0; x + 1 < width; x++)
      sum += Math.abs(luma((y * width + x) * 3) - luma((y * width + x + 1) * 3));
  return sum / (width - 1) / height;
}
