import { BLOCK_PIXELS, BLOCK_SIDE, restoreBlock, ZIGZAG } from "./block-transform.ts";

/** A strip is decoded as a whole, so a long shot has several. */
export const FRAMES_PER_STRIP = 64;
/** Size of the frames of a strip: 10 by 6 blocks, stretched over the frame. */
export const stripSize = { width: 80, height: 48 } as const;
export const STRIP_PIXELS = stripSize.width * stripSize.height;
export const BLOCK_COLUMNS = stripSize.width / BLOCK_SIDE;
export const BLOCK_COUNT = STRIP_PIXELS / BLOCK_PIXELS;

const { width: WIDTH } = stripSize;
const MIDDLE = 128;
const coefficients = new Int32Array(BLOCK_PIXELS);
const difference = new Int32Array(BLOCK_PIXELS);

/** Returns the index of the first pixel of a block. */
export function firstPixelOf(block: number): number {
  return Math.floor(block / BLOCK_COLUMNS) * BLOCK_SIDE * WIDTH + (block % BLOCK_COLUMNS) * BLOCK_SIDE;
}

/**
 * Returns the value that a whole block is predicted to have: the mean of the pixels left of it and above it.
 */
export function predictBlock(pixels: Uint8Array, block: number): number {
  const first = firstPixelOf(block);
  let [sum, count] = [0, 0];
  if (block % BLOCK_COLUMNS > 0) {
    for (let y = 0; y < BLOCK_SIDE; y++) sum += pixels[first + y * WIDTH - 1] ?? 0;
    count += BLOCK_SIDE;
  }
  if (block >= BLOCK_COLUMNS) {
    for (let x = 0; x < BLOCK_SIDE; x++) sum += pixels[first - WIDTH + x] ?? 0;
    count += BLOCK_SIDE;
  }
  return count === 0 ? MIDDLE : Math.round(sum / count);
}

/** Sets all pixels of a block. */
export function fillBlock(pixels: Uint8Array, block: number, value: number): void {
  const first = firstPixelOf(block);
  for (let y = 0; y < BLOCK_SIDE; y++) pixels.fill(value, first + y * WIDTH, first + y * WIDTH + BLOCK_SIDE);
}

/** Adds the difference of the first `count` levels, by rising frequency, to a block. */
export function addLevels(
  pixels: Uint8Array,
  block: number,
  levels: Int32Array,
  count: number,
  step: number,
): void {
  if (count === 0) return;
  coefficients.fill(0);
  let [rows, columns] = [0, 0];
  for (let at = 0; at < count; at++) {
    const level = levels[at] ?? 0;
    if (level === 0) continue;
    const index = ZIGZAG[at] ?? 0;
    coefficients[index] = level * step;
    rows = Math.max(rows, (index >> 3) + 1);
    columns = Math.max(columns, (index & 7) + 1);
  }
  restoreBlock(coefficients, rows, columns, difference);
  let pixel = firstPixelOf(block);
  for (let at = 0; at < BLOCK_PIXELS; pixel += WIDTH - BLOCK_SIDE) {
    for (const end = at + BLOCK_SIDE; at < end; at++, pixel++) {
      const value = (pixels[pixel] ?? 0) + (difference[at] ?? 0);
      pixels[pixel] = value < 0 ? 0 : value > 255 ? 255 : value;
    }
  }
}
