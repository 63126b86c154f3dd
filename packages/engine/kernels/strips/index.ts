// Decodes strips; src/strips/encode-strip.ts describes and writes them.

const WIDTH: u32 = 80;
const BLOCK_COLUMNS: u32 = 10;
const BLOCK_COUNT: u32 = 60;
const FRAMES_PER_STRIP: u32 = 64;

/** The rows of the transform, 64 integers, and the indices of coefficients by rising frequency, 64 bytes. */
export const MATRIX: u32 = 1024;
export const ZIGZAG: u32 = 1280;
/** Results: how much later each frame is than expected, in milliseconds, and 1 for each block that changes. */
export const TIME_ERRORS: u32 = 1536;
export const CHANGES: u32 = 2048;

/** Probabilities of 12 bits. */
const MODELS: u32 = 6144;
const TIMES: u32 = MODELS;
const REPEATS: u32 = TIMES + 2 * 2;
const CHANGED: u32 = REPEATS + 2 * 2;
const COUNT: u32 = CHANGED + 2 * 6;
const COUNT_OF_WHOLE: u32 = COUNT + 2 * 64;
const IS_SET: u32 = COUNT_OF_WHOLE + 2 * 64;
const SIZE: u32 = IS_SET + 2 * 128;
const MODELS_END: u32 = SIZE + 2 * 42;
const COEFFICIENTS: u32 = 7168;
const HALF: u32 = 7424;
/** The grey values of the last frame, row by row. */
const PIXELS: u32 = 8192;
/** Result: the 64 pixels of each block that changes, in the order of CHANGES. */
export const BLOCKS: u32 = 16384;
/** The bytes after the head of the strip. */
export const BODY: u32 = BLOCKS + FRAMES_PER_STRIP * BLOCK_COUNT * 64;

const COUNT_BITS: u32 = 6;
const LONGEST_UNARY: u32 = 14;
/** A longer code is corrupt; it ends the loop over its bits. */
const MOST_PLAIN_BITS: u32 = 30;
const EVEN: u16 = 1 << 11;
const LIMIT: u32 = 1 << 12;
const RATE: u32 = 4;
const TOP: u32 = 1 << 24;
const MIDDLE: u32 = 128;
const SCALE_BITS: i32 = 15;

let next: u32 = 0;
let end: u32 = 0;
let range: u32 = 0;
let code: u32 = 0;

/** Decodes the `length` bytes of a strip of `count` frames. Returns the number of changed blocks. */
export function decode(length: u32, count: u32, step: i32): u32 {
  next = BODY;
  end = BODY + length;
  range = 0xffffffff;
  code = 0;
  for (let at = 0; at < 4; at++) code = (code << 8) | nextByte();
  for (let at = MODELS; at < MODELS_END; at += 2) store<u16>(at, EVEN);
  for (let at: u32 = 0; at < count; at++) store<i32>(TIME_ERRORS + (at << 2), readTimeError());
  memory.fill(CHANGES, 0, count * BLOCK_COUNT);
  // The changes of the last frame that has some are the context of the next ones; the first frame has none.
  let before: u32 = 0;
  let isRepeat: u32 = 0;
  let out = BLOCKS;
  for (let number: u32 = 0; number < count; number++) {
    const changes = CHANGES + number * BLOCK_COUNT;
    if (number > 0) {
      isRepeat = readBit(REPEATS + (isRepeat << 1));
      if (isRepeat === 1) continue;
    }
    for (let block: u32 = 0; block < BLOCK_COUNT; block++) {
      if (number === 0) fillBlock(block);
      else if (readBit(CHANGED + (changeKindOf(changes, before, block) << 1)) === 0) continue;
      store<u8>(changes + block, 1);
      readBlock(firstPixelOf(block), number === 0, step);
      out = copyBlock(firstPixelOf(block), out);
    }
    if (number > 0) before = changes;
  }
  return (out - BLOCKS) >> 6;
}

function nextByte(): u32 {
  return next < end ? <u32>load<u8>(next++) : 0;
}

function normalise(): void {
  while (range < TOP) {
    range <<= 8;
    code = (code << 8) | nextByte();
  }
}

/** Reads a bit of the kind whose probability is at an address. */
function readBit(model: u32): u32 {
  const probability = <u32>load<u16>(model);
  const bound = (range >>> 12) * probability;
  let bit: u32 = 0;
  if (code < bound) {
    range = bound;
    store<u16>(model, <u16>(probability + ((LIMIT - probability) >> RATE)));
  } else {
    bit = 1;
    code -= bound;
    range -= bound;
    store<u16>(model, <u16>(probability - (probability >> RATE)));
  }
  normalise();
  return bit;
}

/** Reads a bit whose values are equally likely. */
function readPlainBit(): u32 {
  range >>>= 1;
  const bit: u32 = code >= range ? 1 : 0;
  if (bit === 1) code -= range;
  normalise();
  return bit;
}

/** Reads an integer of at least 1, an exponential Golomb code. */
function readPlain(): i32 {
  let bits: u32 = 0;
  while (bits < MOST_PLAIN_BITS && readPlainBit() === 1) bits++;
  let value: i32 = 1;
  for (let bit: u32 = 0; bit < bits; bit++) value = (value << 1) | readPlainBit();
  return value;
}

function readTimeError(): i32 {
  if (readBit(TIMES) === 0) return 0;
  return readBit(TIMES + 2) === 1 ? readPlain() : -readPlain();
}

/** The kind of the bit that says whether a block changes. */
function changeKindOf(changes: u32, before: u32, block: u32): u32 {
  const left: u32 = block % BLOCK_COLUMNS === 0 ? 0 : <u32>load<u8>(changes + block - 1);
  const above: u32 = block < BLOCK_COLUMNS ? 0 : <u32>load<u8>(changes + block - BLOCK_COLUMNS);
  return left + above + (before === 0 ? 0 : 3 * <u32>load<u8>(before + block));
}

function firstPixelOf(block: u32): u32 {
  return PIXELS + (block / BLOCK_COLUMNS) * 8 * WIDTH + (block % BLOCK_COLUMNS) * 8;
}

/** Fills a block with the mean of the pixels left of it and above it. */
function fillBlock(block: u32): void {
  const first = firstPixelOf(block);
  let sum: u32 = 0;
  let count: u32 = 0;
  if (block % BLOCK_COLUMNS > 0) {
    for (let y: u32 = 0; y < 8; y++) sum += <u32>load<u8>(first + y * WIDTH - 1);
    count += 8;
  }
  if (block >= BLOCK_COLUMNS) {
    for (let x: u32 = 0; x < 8; x++) sum += <u32>load<u8>(first - WIDTH + x);
    count += 8;
  }
  const value = count === 0 ? MIDDLE : (sum + (count >> 1)) / count;
  for (let y: u32 = 0; y < 8; y++) memory.fill(first + y * WIDTH, <u8>value, 8);
}

/** Reads the levels of a block, and adds their difference to the block at `first`. */
function readBlock(first: u32, isWhole: bool, step: i32): void {
  const countModels = isWhole ? COUNT_OF_WHOLE : COUNT;
  let node: u32 = 1;
  for (let bit: u32 = 0; bit < COUNT_BITS; bit++) node = (node << 1) | readBit(countModels + (node << 1));
  const count = node - (1 << COUNT_BITS);
  if (count === 0) return;
  memory.fill(COEFFICIENTS, 0, 256);
  let rows: u32 = 0;
  let columns: u32 = 0;
  let isSet: u32 = 1;
  for (let at: u32 = 0; at < count; at++) {
    isSet = at === count - 1 ? 1 : readBit(IS_SET + (((at << 1) + isSet) << 1));
    if (isSet === 0) continue;
    const index = <u32>load<u8>(ZIGZAG + at);
    const group: u32 = at === 0 ? 0 : at < 6 ? 1 : 2;
    store<i32>(COEFFICIENTS + (index << 2), readLevel(SIZE + ((group * LONGEST_UNARY) << 1)) * step);
    rows = max(rows, (index >> 3) + 1);
    columns = max(columns, (index & 7) + 1);
  }
  restoreBlock(first, rows, columns);
}

function readLevel(models: u32): i32 {
  const isNegative = readPlainBit() === 1;
  let size: i32 = 0;
  while (<u32>size < LONGEST_UNARY && readBit(models + ((<u32>size) << 1)) === 1) size++;
  if (<u32>size === LONGEST_UNARY) size += readPlain() - 1;
  return isNegative ? -(size + 1) : size + 1;
}

/**
 * Transforms coefficients, of which only the first `rows` rows and `columns` columns are set, into differences, and
 * adds those to the block at `first`.
 */
function restoreBlock(first: u32, rows: u32, columns: u32): void {
  // HALF has the columns of the first product one after the other.
  for (let k: u32 = 0; k < columns; k++) {
    let upper = i32x4.splat(0);
    let lower = i32x4.splat(0);
    for (let l: u32 = 0; l < rows; l++) {
      const coefficient = v128.load32_splat(COEFFICIENTS + (l << 5) + (k << 2));
      upper = i32x4.add(upper, i32x4.mul(coefficient, v128.load(MATRIX + (l << 5))));
      lower = i32x4.add(lower, i32x4.mul(coefficient, v128.load(MATRIX + (l << 5), 16)));
    }
    v128.store(HALF + (k << 5), upper);
    v128.store(HALF + (k << 5), lower, 16);
  }
  const rounding = i32x4.splat(1 << (SCALE_BITS - 1));
  for (let y: u32 = 0, to = first; y < 8; y++, to += WIDTH) {
    let left = rounding;
    let right = rounding;
    for (let k: u32 = 0; k < columns; k++) {
      const value = v128.load32_splat(HALF + (k << 5) + (y << 2));
      left = i32x4.add(left, i32x4.mul(value, v128.load(MATRIX + (k << 5))));
      right = i32x4.add(right, i32x4.mul(value, v128.load(MATRIX + (k << 5), 16)));
    }
    const difference = i16x8.narrow_i32x4_s(i32x4.shr_s(left, SCALE_BITS), i32x4.shr_s(right, SCALE_BITS));
    const sum = i16x8.add_sat_s(difference, i16x8.extend_low_i8x16_u(v128.load64_zero(to)));
    v128.store64_lane(to, i8x16.narrow_i16x8_u(sum, sum), 0);
  }
}

/** Copies a block to the blocks of the result, and returns the address after it. */
function copyBlock(first: u32, out: u32): u32 {
  for (let y: u32 = 0; y < 8; y++) store<u64>(out + (y << 3), load<u64>(first + y * WIDTH));
  return out + 64;
}
