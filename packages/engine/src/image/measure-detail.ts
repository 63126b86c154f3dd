import type { Raster } from "../pixels/raster.ts";

/** The mean absolute difference of neighbouring pixels; low for blank, faded and blurred frames. */
export function measureDetail({ pixels, width, height }: Raster): number {
  const step = width * 3;
  let sum = 0;
  for (let at = step + 3; at < pixels.length; at += 3) {
    // The green channel stands for the brightness.
    const green = pixels[at + 1] ?? 0;
    sum += Math.abs(green - (pixels[at - 2] ?? 0)) + Math.abs(green - (pixels[at + 1 - step] ?? 0));
  }
  return sum / (width * height);
}
