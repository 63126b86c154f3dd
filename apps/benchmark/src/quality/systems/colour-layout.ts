import type { Raster } from "../raster/raster.ts";

const [lumaCount, chromaCount] = [21, 6];
/** Length of one descriptor: 21 numbers of luma, 6 of each colour difference. */
export const layoutLength = lumaCount + 2 * chromaCount;

const zigzag = makeZigzag();
const cosines = Array.from({ length: 64 }, (_, i) => {
  const [frequency, coefficient] = [i >> 3, i & 7];
  return (
    (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * coefficient + 1) * frequency * Math.PI) / 16)
  );
});
// First coefficients have higher weights: the standard's proposal, as in the baseline's library (LIRE).
const weights = [
  ...Array.from({ length: lumaCount }, (_, i) => (i < 3 ? 2 : 1)),
  ...Array.from({ length: chromaCount }, (_, i) => (i === 0 ? 2 : 1)),
  ...Array.from({ length: chromaCount }, (_, i) => (i === 0 ? 4 : i < 3 ? 2 : 1)),
];

/**
 * Computes the colour layout descriptor of MPEG-7 (ISO/IEC 15938-3, 6.6): mean colours of 8 by 8 parts in
 * YCbCr, their cosine transform, and its first coefficients in zigzag order, quantised non-uniformly.
 */
export function describeColourLayout(raster: Raster): Uint8Array {
  const parts = meanColours(raster);
  const layout = new Uint8Array(layoutLength);
  let at = 0;
  for (const [channel, count] of [lumaCount, chromaCount, chromaCount].entries()) {
    const coefficients = transform(parts.subarray(channel * 64, channel * 64 + 64));
    for (let i = 0; i < count; i++) {
      const value = Math.round(coefficients[zigzag[i] ?? 0] ?? 0);
      if (i > 0) layout[at] = quantiseAc(channel === 0 ? value >> 1 : value) >> 3;
      else layout[at] = channel === 0 ? quantiseLumaDc(value >> 3) >> 1 : quantiseChromaDc(value >> 3);
      at++;
    }
  }
  return layout;
}

/**
 * Returns the distance that the standard proposes: the sum over the channels of the root of weighted squares.
 */
export function layoutDistance(a: Uint8Array, b: Uint8Array, atA = 0, atB = 0): number {
  return (
    Math.sqrt(squares(a, b, atA, atB, 0, lumaCount)) +
    Math.sqrt(squares(a, b, atA, atB, lumaCount, lumaCount + chromaCount)) +
    Math.sqrt(squares(a, b, atA, atB, lumaCount + chromaCount, layoutLength))
  );
}

function squares(a: Uint8Array, b: Uint8Array, atA: number, atB: number, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) {
    const difference = (a[atA + i] ?? 0) - (b[atB + i] ?? 0);
    sum += (weights[i] ?? 1) * difference * difference;
  }
  return sum;
}

/** Returns 64 means each of Y, Cb and Cr, in the ranges of BT.601 (16..235, 16..240). */
function meanColours({ width, height, pixels }: Raster): Float64Array {
  const sums = new Float64Array(3 * 64);
  const counts = new Uint32Array(64);
  for (let y = 0; y < height; y++) {
    const row = Math.min(7, Math.floor((y * 8) / height)) * 8;
    for (let x = 0; x < width; x++) {
      const part = row + Math.min(7, Math.floor((x * 8) / width));
      const at = (y * width + x) * 3;
      sums[part] = (sums[part] ?? 0) + (pixels[at] ?? 0);
      sums[64 + part] = (sums[64 + part] ?? 0) + (pixels[at + 1] ?? 0);
      sums[128 + part] = (sums[128 + part] ?? 0) + (pixels[at + 2] ?? 0);
      counts[part] = (counts[part] ?? 0) + 1;
    }
  }
  for (let part = 0; part < 64; part++) {
    const count = Math.max(1, counts[part] ?? 0);
    const red = (sums[part] ?? 0) / count / 256;
    const green = (sums[64 + part] ?? 0) / count / 256;
    const blue = (sums[128 + part] ?? 0) / count / 256;
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    sums[part] = Math.floor(219 * luma + 16.5);
    sums[64 + part] = Math.floor(224 * 0.564 * (blue - luma) + 128.5);
    sums[128 + part] = Math.floor(224 * 0.713 * (red - luma) + 128.5);
  }
  return sums;
}

/** Two-dimensional cosine transform (orthonormal) of 8 by 8 values: rows, then columns. */
function transform(values: Float64Array): Float64Array {
  const rows = transformRows(values);
  return transposed(transformRows(transposed(rows)));
}

function transformRows(values: Float64Array): Float64Array {
  const result = new Float64Array(64);
  for (let row = 0; row < 8; row++) {
    for (let frequency = 0; frequency < 8; frequency++) {
      let sum = 0;
      for (let k = 0; k < 8; k++) sum += (values[row * 8 + k] ?? 0) * (cosines[frequency * 8 + k] ?? 0);
      result[row * 8 + frequency] = sum;
    }
  }
  return result;
}

function transposed(values: Float64Array): Float64Array {
  return Float64Array.from(values, (_, i) => values[(i & 7) * 8 + (i >> 3)] ?? 0);
}

function quantiseLumaDc(value: number): number {
  if (value > 191) return 112 + ((value - 192) >> 2);
  if (value > 159) return 96 + ((value - 160) >> 1);
  if (value > 95) return 32 + (value - 96);
  if (value > 63) return 16 + ((value - 64) >> 1);
  return value >> 2;
}

function quantiseChromaDc(value: number): number {
  if (value > 191) return 63;
  if (value > 159) return 56 + ((value - 160) >> 2);
  if (value > 143) return 48 + ((value - 144) >> 1);
  if (value > 111) return 16 + (value - 112);
  if (value > 95) return 8 + ((value - 96) >> 1);
  if (value > 63) return (value - 64) >> 2;
  return 0;
}

function quantiseAc(value: number): number {
  const size = Math.min(value < 0 ? 256 : 255, Math.abs(value));
  const step = size > 127 ? 64 + (size >> 2) : size > 63 ? 32 + (size >> 1) : size;
  return 128 + (value < 0 ? -step : step);
}

function makeZigzag(): number[] {
  const coefficients = Array.from({ length: 64 }, (_, i) => ({ i, row: i >> 3, column: i & 7 }));
  const along = ({ row, column }: { row: number; column: number }) =>
    (row + column) % 2 === 0 ? column : row;
  return coefficients
    .sort((a, b) => a.row + a.column - (b.row + b.column) || along(a) - along(b))
    .map(({ i }) => i);
}
