import type { Random } from "@koma/testing/drawing";
import type { Raster } from "./raster.ts";

/** Adds the grain of a sensor: every value changes by up to `strength`, nearly normally distributed. */
export function addGrain(raster: Raster, strength: number, random: Random): Raster {
  const pixels = new Uint8ClampedArray(raster.pixels.length);
  for (let i = 0; i < pixels.length; i++) {
    const bell = random.next() + random.next() + random.next() - 1.5;
    pixels[i] = (raster.pixels[i] ?? 0) + bell * strength;
  }
  return { ...raster, pixels: new Uint8Array(pixels.buffer) };
}
