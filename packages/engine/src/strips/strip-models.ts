import { createBitModels } from "./range-coder.ts";

/** A level above this is written in plain bits. */
export const LONGEST_UNARY = 14;
/** Coefficients of a block that are written; the one of the highest frequency is not. */
export const MOST_LEVELS = 63;
const MODELS_OF_COUNT = 64;
const GROUPS = 3;

/** The kinds of bits of a strip. */
export function createStripModels() {
  return {
    /** The time of a frame is not the expected one, and it is later. */
    times: createBitModels(2),
    /** The frame equals the one before it; by whether that one did. */
    repeats: createBitModels(2),
    /** The block changes; by whether its neighbours and the block before it do. */
    changes: createBitModels(6),
    /** The number of levels as a tree of six bits, of a whole block and of a difference. */
    count: createBitModels(2 * MODELS_OF_COUNT),
    /** The level is not zero; by its position and whether the last one is. */
    isSet: createBitModels(2 * (MOST_LEVELS + 1)),
    /** The size of a level in unary, by its position. */
    size: createBitModels(GROUPS * LONGEST_UNARY),
  };
}

/** The first model of the number of levels. */
export function countModelOf(isWhole: boolean): number {
  return isWhole ? MODELS_OF_COUNT : 0;
}

/** The first model of the size of the level at a position. */
export function sizeModelOf(position: number): number {
  return (position === 0 ? 0 : position < 6 ? 1 : 2) * LONGEST_UNARY;
}

/** The kind of the bit that says whether a block changes. */
export function changeModelOf(
  changes: Uint8Array,
  before: Uint8Array,
  block: number,
  columns: number,
): number {
  const left = block % columns === 0 ? 0 : (changes[block - 1] ?? 0);
  const above = block < columns ? 0 : (changes[block - columns] ?? 0);
  return left + above + 3 * (before[block] ?? 0);
}
