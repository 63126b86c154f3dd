/** Side of a block, in pixels. */
export const BLOCK_SIDE = 8;
export const BLOCK_PIXELS = BLOCK_SIDE * BLOCK_SIDE;

// The integer cosine transform of H.265 (ITU-T H.265, 8.6.4.2): its results are the same on every machine.
const ROWS = [
  [64, 64, 64, 64, 64, 64, 64, 64],
  [89, 75, 50, 18, -18, -50, -75, -89],
  [83, 36, -36, -83, -83, -36, 36, 83],
  [75, -18, -89, -50, 50, 89, 18, -75],
  [64, -64, -64, 64, 64, -64, -64, 64],
  [50, -89, 18, 75, -75, -18, 89, -50],
  [36, -83, 83, -36, -36, 83, -83, 36],
  [18, -50, 75, -89, 89, -75, 50, -18],
];
/** The rows of the transform. */
export const MATRIX = Int32Array.from(ROWS.flat());
const SCALE_BITS = 15;
const SCALE = 2 ** SCALE_BITS;

/** The indices of coefficients by rising frequency. */
export const ZIGZAG = Uint8Array.from(
  [...Array(BLOCK_PIXELS).keys()].sort((a, b) => {
    const [sumA, sumB] = [(a >> 3) + (a & 7), (b >> 3) + (b & 7)];
    const along = (index: number) => (((index >> 3) + (index & 7)) % 2 === 0 ? index & 7 : index >> 3);
    return sumA - sumB || along(a) - along(b);
  }),
);

const half = new Int32Array(BLOCK_PIXELS);

/** Transforms 8 by 8 differences into coefficients of an orthonormal cosine transform. */
export function transformBlock(block: Int32Array, into: Float64Array): void {
  for (let y = 0; y < BLOCK_PIXELS; y += BLOCK_SIDE) {
    for (let k = 0; k < BLOCK_SIDE; k++) {
      let sum = 0;
      for (let x = 0; x < BLOCK_SIDE; x++) sum += (MATRIX[k * BLOCK_SIDE + x] ?? 0) * (block[y + x] ?? 0);
      half[y + k] = sum;
    }
  }
  for (let k = 0; k < BLOCK_SIDE; k++) {
    for (let l = 0; l < BLOCK_PIXELS; l += BLOCK_SIDE) {
      let sum = 0;
      for (let y = 0; y < BLOCK_SIDE; y++) sum += (MATRIX[l + y] ?? 0) * (half[y * BLOCK_SIDE + k] ?? 0);
      into[l + k] = sum / SCALE;
    }
  }
}

/**
 * Transforms integer coefficients back into differences, rounded. Only the first `rows` rows and `columns`
 * columns may be other than zero.
 */
export function restoreBlock(
  coefficients: Int32Array,
  rows: number,
  columns: number,
  into: Int32Array,
): void {
  for (let y = 0; y < BLOCK_SIDE; y++) {
    for (let k = 0; k < columns; k++) {
      let sum = 0;
      for (let l = 0; l < rows; l++)
        sum += (MATRIX[l * BLOCK_SIDE + y] ?? 0) * (coefficients[l * BLOCK_SIDE + k] ?? 0);
      half[y * BLOCK_SIDE + k] = sum;
    }
  }
  for (let y = 0; y < BLOCK_PIXELS; y += BLOCK_SIDE) {
    for (let x = 0; x < BLOCK_SIDE; x++) {
      let sum = 0;
      for (let k = 0; k < columns; k++) sum += (MATRIX[k * BLOCK_SIDE + x] ?? 0) * (half[y + k] ?? 0);
      into[y + x] = (sum + SCALE / 2) >> SCALE_BITS;
    }
  }
}
