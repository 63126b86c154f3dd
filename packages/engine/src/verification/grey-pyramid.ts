import type { GreyRaster } from "../pixels/grey-raster.ts";
import type { Projection } from "./projection.ts";

/** An image and its halves, quarters, …; level 0 is the image. */
export type GreyPyramid = { levels: GreyRaster[] };

const LEAST_SIDE = 6;
/** The passes of a search have one image. */
const created = new WeakMap<GreyRaster, GreyPyramid>();

/**
 * Halves an image repeatedly, each pixel the mean of four, so that it can be sampled coarsely without
 * aliasing. Returns the same pyramid for the same image.
 */
export function createGreyPyramid(image: GreyRaster): GreyPyramid {
  const known = created.get(image);
  if (known !== undefined) return known;
  const levels = [image];
  for (let last = image; Math.min(last.width, last.height) >= LEAST_SIDE * 2; ) {
    last = halve(last);
    levels.push(last);
  }
  const pyramid = { levels };
  created.set(image, pyramid);
  return pyramid;
}

/** Returns the level whose pixel distance is about that of the samples of a projected patch. */
export function levelFor(
  { levels }: GreyPyramid,
  projection: Projection,
  { width, height }: { width: number; height: number },
): number {
  const [a = 0, b = 0, , c = 0, d = 0] = projection;
  const area = Math.abs(a * d - b * c) / (width * height);
  const ideal = Math.floor(Math.log2(Math.max(1, Math.sqrt(area))) + 0.4);
  return Math.max(0, Math.min(levels.length - 1, ideal));
}

function halve({ values, width, height }: GreyRaster): GreyRaster {
  const half = { width: width >> 1, height: height >> 1 };
  const mean = new Float32Array(half.width * half.height);
  for (let y = 0, to = 0; y < half.height; y++) {
    let at = y * 2 * width;
    for (let x = 0; x < half.width; x++, at += 2) {
      const upper = (values[at] ?? 0) + (values[at + 1] ?? 0);
      mean[to++] = (upper + (values[at + width] ?? 0) + (values[at + width + 1] ?? 0)) / 4;
    }
  }
  return { values: mean, ...half };
}
