/** A decoded image: packed RGB24, row by row. */
export type Raster = { pixels: Uint8Array; width: number; height: number };

/** A part of a raster in whole pixels. */
export type Box = { left: number; top: number; width: number; height: number };

/**
 * Stretches a part of a raster to another size. Each new pixel is the area-weighted mean of the pixels that
 * it covers. ffmpeg scales videos with the same filter, so an image of a frame has the descriptor of the
 * frame.
 */
export function stretch(raster: Raster, box: Box, width: number, height: number): Uint8Array {
  const columns = coverage(box.left, box.width, width);
  const rows = coverage(box.top, box.height, height);
  const out = new Uint8Array(width * height * 3);
  const narrow = new Float32Array(width * 3);
  const sums = new Float32Array(width * 3);
  let narrowed = -1;
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    const first = rows.first[y] ?? 0;
    const from = rows.start[y] ?? 0;
    const count = (rows.start[y + 1] ?? 0) - from;
    for (let step = 0; step < count; step++) {
      const weight = rows.weights[from + step] ?? 0;
      // A row that two new rows share is the last one of the first and the first one of the second.
      if (first + step !== narrowed) stretchRow(raster, first + step, columns, narrow);
      narrowed = first + step;
      for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + weight * (narrow[at] ?? 0);
    }
    const to = y * width * 3;
    for (let at = 0; at < sums.length; at++) out[to + at] = (sums[at] ?? 0) + 0.5;
  }
  return out;
}

/** Returns the mirrored image: packed RGB24 of the same size. */
export function mirror(pixels: Uint8Array, width: number): Uint8Array {
  const out = new Uint8Array(pixels.length);
  const stride = width * 3;
  for (let row = 0; row < pixels.length; row += stride) {
    let to = row + stride - 3;
    for (let from = row; from < row + stride; from += 3, to -= 3) {
      out[to] = pixels[from] ?? 0;
      out[to + 1] = pixels[from + 1] ?? 0;
      out[to + 2] = pixels[from + 2] ?? 0;
    }
  }
  return out;
}

/** Returns the negative of an image. */
export function invert(pixels: Uint8Array): Uint8Array {
  return pixels.map((value) => 255 - value);
}

/** For each new pixel the first covered pixel, and from `start` on the weights of all covered pixels. */
type Coverage = { first: Int32Array; start: Int32Array; weights: Float32Array };

function stretchRow({ pixels, width }: Raster, y: number, columns: Coverage, into: Float32Array) {
  const { first, start, weights } = columns;
  for (let column = 0; column < first.length; column++) {
    const end = start[column + 1] ?? 0;
    let at = (y * width + (first[column] ?? 0)) * 3;
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let step = start[column] ?? 0; step < end; step++, at += 3) {
      const weight = weights[step] ?? 0;
      red += weight * (pixels[at] ?? 0);
      green += weight * (pixels[at + 1] ?? 0);
      blue += weight * (pixels[at + 2] ?? 0);
    }
    into[column * 3] = red;
    into[column * 3 + 1] = green;
    into[column * 3 + 2] = blue;
  }
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
