import { BLOCK_PIXELS, transformBlock, ZIGZAG } from "./block-transform.ts";
import { createByteWriter } from "./byte-writer.ts";
import { createRangeEncoder } from "./range-coder.ts";
import {
  addLevels,
  BLOCK_COLUMNS,
  BLOCK_COUNT,
  fillBlock,
  firstPixelOf,
  predictBlock,
  STRIP_PIXELS,
  stripSize,
} from "./strip-frame.ts";
import {
  changeModelOf,
  countModelOf,
  createStripModels,
  LONGEST_UNARY,
  MOST_LEVELS,
  sizeModelOf,
} from "./strip-models.ts";
import { expectTime, toMilliseconds } from "./strip-times.ts";

/** How exactly a strip is stored. */
export type StripQuality = {
  /** Distance of two levels of a coefficient, in levels of grey; a whole number. */
  step: number;
  /** A block is stored again when the mean of 2 by 2 pixels differs by more. */
  tolerance: number;
  /** Only every so many frames may differ from the one before. */
  every: number;
};

const { width: WIDTH } = stripSize;
/** Smaller parts of a level are omitted: they cost more than they improve. */
const ROUNDING = 0.36;
const COUNT_BITS = 6;

/** A frame of a strip: its time, and 80 by 48 grey values. */
export type StripFrame = { atSeconds: number; pixels: Uint8Array };

/**
 * Encodes consecutive frames: the first one whole, the others as differences of the blocks that change. Times
 * are rounded to milliseconds. The bytes begin with integers in base 128: step, number of frames, first time
 * and duration in milliseconds.
 */
export function encodeStrip(
  frames: readonly StripFrame[],
  { step, tolerance, every }: StripQuality,
): Uint8Array {
  const times = frames.map(({ atSeconds }) => toMilliseconds(atSeconds));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const encoder = createRangeEncoder();
  const models = createStripModels();
  const pixels = new Uint8Array(STRIP_PIXELS);
  const levels = new Int32Array(BLOCK_PIXELS);
  const block = new Int32Array(BLOCK_PIXELS);
  const coefficients = new Float64Array(BLOCK_PIXELS);
  let before = new Uint8Array(BLOCK_COUNT);
  let isRepeat = 0;
  for (const [number, time] of times.entries())
    writeTime(time - expectTime(number, times.length, first, last));
  for (const [number, { pixels: frame }] of frames.entries()) {
    if (number === 0) {
      for (let at = 0; at < BLOCK_COUNT; at++) {
        fillBlock(pixels, at, predictBlock(pixels, at));
        writeBlock(frame, at, true);
      }
      continue;
    }
    const changes = new Uint8Array(BLOCK_COUNT);
    if (number % every === 0)
      for (let at = 0; at < BLOCK_COUNT; at++) changes[at] = Number(differs(frame, pixels, at, tolerance));
    const repeats = Number(!changes.includes(1));
    encoder.bit(models.repeats, isRepeat, repeats);
    isRepeat = repeats;
    if (repeats === 1) continue;
    for (let at = 0; at < BLOCK_COUNT; at++) {
      const change = changes[at] ?? 0;
      encoder.bit(models.changes, changeModelOf(changes, before, at, BLOCK_COLUMNS), change);
      if (change === 1) writeBlock(frame, at, false);
    }
    before = changes;
  }
  const writer = createByteWriter();
  for (const value of [step, frames.length, first, last - first]) writer.whole(value);
  writer.raw(encoder.finish());
  return writer.finish();

  /** Most times are the expected ones or a millisecond beside them. */
  function writeTime(error: number): void {
    encoder.bit(models.times, 0, Number(error !== 0));
    if (error === 0) return;
    encoder.bit(models.times, 1, Number(error > 0));
    writePlain(Math.abs(error));
  }

  function writeBlock(frame: Uint8Array, at: number, isWhole: boolean): void {
    const first = firstPixelOf(at);
    for (let i = 0; i < BLOCK_PIXELS; i++) {
      const pixel = first + (i >> 3) * WIDTH + (i & 7);
      block[i] = (frame[pixel] ?? 0) - (pixels[pixel] ?? 0);
    }
    transformBlock(block, coefficients);
    let count = 0;
    for (let i = 0; i < MOST_LEVELS; i++) {
      const value = (coefficients[ZIGZAG[i] ?? 0] ?? 0) / step;
      const level = Math.sign(value) * Math.floor(Math.abs(value) + ROUNDING);
      levels[i] = level;
      if (level !== 0) count = i + 1;
    }
    writeLevels(count, isWhole);
    addLevels(pixels, at, levels, count, step);
  }

  function writeLevels(count: number, isWhole: boolean): void {
    for (let shift = COUNT_BITS - 1, node = 1; shift >= 0; shift--) {
      const bit = (count >> shift) & 1;
      encoder.bit(models.count, countModelOf(isWhole) + node, bit);
      node = node * 2 + bit;
    }
    for (let i = 0, isLastSet = 1; i < count; i++) {
      const level = levels[i] ?? 0;
      const isSet = Number(level !== 0);
      // The last one is never zero.
      if (i < count - 1) encoder.bit(models.isSet, i * 2 + isLastSet, isSet);
      isLastSet = isSet;
      if (isSet === 1) writeLevel(level, sizeModelOf(i));
    }
  }

  function writeLevel(level: number, firstModel: number): void {
    encoder.plain(Number(level < 0));
    const size = Math.abs(level) - 1;
    for (let at = 0; at < Math.min(size, LONGEST_UNARY); at++) encoder.bit(models.size, firstModel + at, 1);
    if (size < LONGEST_UNARY) {
      encoder.bit(models.size, firstModel + size, 0);
      return;
    }
    writePlain(size - LONGEST_UNARY + 1);
  }

  /** Writes an integer of at least 1 as an exponential Golomb code (Teuhola 1978). */
  function writePlain(value: number): void {
    const bits = 31 - Math.clz32(value);
    for (let at = 0; at < bits; at++) encoder.plain(1);
    encoder.plain(0);
    for (let at = bits - 1; at >= 0; at--) encoder.plain((value >> at) & 1);
  }
}

function differs(frame: Uint8Array, pixels: Uint8Array, block: number, tolerance: number): boolean {
  const first = firstPixelOf(block);
  for (let i = 0; i < BLOCK_PIXELS / 4; i++) {
    const at = first + (i >> 2) * 2 * WIDTH + (i & 3) * 2;
    const sum = sumOfFour(frame, at) - sumOfFour(pixels, at);
    if (Math.abs(sum) > tolerance * 4) return true;
  }
  return false;
}

function sumOfFour(pixels: Uint8Array, at: number): number {
  return (
    (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + WIDTH] ?? 0) + (pixels[at + WIDTH + 1] ?? 0)
  );
}
