/** A decoded picture: packed RGB24, row by row. */
export type Raster = { pixels: Uint8Array; width: number; height: number };

/** A part of a raster in whole pixels. */
export type Box = { left: number; top: number; width: number; height: number };

/**
 * Stretches a part of a raster to another size, each new pixel the area-weighted mean of what it covers: the filter that films are scaled
 * with too, so that the same frame gives the same descriptor by either way.
 */
export function stretch(raster: Raster, box: Box, width: number, height: number): Uint8Array {
  const columns = coverage(box.left, box.width, width);
  const rows = coverage(box.top, box.height, height);
  const out = new Uint8Array(width * height * 3);
  const narrow = new Float32Array(width * 3);
  const sums = new Float32Array(width * 3);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    const { first, weights } = rows[y] ?? { first: 0, weights: [] };
    for (const [step, weight] of weights.entries()) {
      stretchRow(raster, first + step, columns, narrow);
      for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + weight * (narrow[at] ?? 0);
    }
    for (let at = 0; at < sums.length; at++) out[y * width * 3 + at] = Math.round(sums[at] ?? 0);
  }
  return out;
}

/** The picture seen in a mirror: packed RGB24 of the same size. */
export function mirror(pixels: Uint8Array, width: number): Uint8Array {
  const out = new Uint8Array(pixels.length);
  const stride = width * 3;
  for (let row = 0; row < pixels.length; row += stride) {
    for (let x = 0; x < stride; x += 3) {
      const from = row + x;
      out.set(pixels.subarray(from, from + 3), row + stride - 3 - x);
    }
  }
  return out;
}

type Coverage = { first: number; weights: Float32Array };

function stretchRow(raster: Raster, y: number, columns: readonly Coverage[], into: Float32Array) {
  const { pixels } = raster;
  const row = y * raster.width;
  let to = 0;
  for (const { first, weights } of columns) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let at = (row + first) * 3;
    for (const weight of weights) {
      red += weight * (pixels[at] ?? 0);
      green += weight * (pixels[at + 1] ?? 0);
      blue += weight * (pixels[at + 2] ?? 0);
      at += 3;
    }
    into[to] = red;
    into[to + 1] = green;
    into[to + 2] = blue;
    to += 3;
  }
}

/** For each of `count` equal stretches of a line: the pixels it covers and their shares. */
function coverage(start: number, length: number, count: number): Coverage[] {
  return Array.from({ length: count }, (_, at) => {
    const from = start + (at * length) / count;
    const to = start + ((at + 1) * length) / count;
    const first = Math.floor(from);
    const last = Math.min(Math.ceil(to), start + length);
    const weights = Float32Array.from(
      { length: Math.max(1, last - first) },
      (_weight, step) => (Math.min(to, first + step + 1) - Math.max(from, first + step)) / (to - from),
    );
    return { first, weights };
  });
}
