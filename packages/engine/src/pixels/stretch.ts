import { type Coverage, openImageKernel } from "./image-kernel.ts";
import type { Box, Raster } from "./raster.ts";

/**
 * Stretches a part of a raster to another size. Each new pixel is the area-weighted mean of the pixels that
 * it covers. ffmpeg scales videos with the same filter, so an image of a frame has the descriptor of the
 * frame.
 */
export function stretch(raster: Raster, box: Box, width: number, height: number): Uint8Array {
  const columns = coverage(box.left, box.width, width);
  const rows = coverage(box.top, box.height, height);
  return openImageKernel().stretch(raster, columns, rows);
}

/** Returns the covered pixels and their weights for each of `count` equal sections of a line. */
function coverage(from: number, length: number, count: number): Coverage {
  const first = new Int32Array(count);
  const start = new Int32Array(count + 1);
  const weights: number[] = [];
  for (let at = 0; at < count; at++) {
    const left = from + (at * length) / count;
    const right = from + ((at + 1) * length) / count;
    const pixel = Math.floor(left);
    const end = Math.max(pixel + 1, Math.min(Math.ceil(right), from + length));
    first[at] = pixel;
    for (let covered = pixel; covered < end; covered++) {
      weights.push((Math.min(right, covered + 1) - Math.max(left, covered)) / (right - left));
    }
    start[at + 1] = weights.length;
  }
  return { first, start, weights: Float32Array.from(weights) };
}
