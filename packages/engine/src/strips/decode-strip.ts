import { BLOCK_PIXELS } from "./block-transform.ts";
import { createByteReader } from "./byte-writer.ts";
import { createRangeDecoder } from "./range-coder.ts";
import {
  addLevels,
  BLOCK_COLUMNS,
  BLOCK_COUNT,
  FRAMES_PER_STRIP,
  fillBlock,
  predictBlock,
  STRIP_PIXELS,
} from "./strip-frame.ts";
import {
  changeModelOf,
  countModelOf,
  createStripModels,
  LONGEST_UNARY,
  sizeModelOf,
} from "./strip-models.ts";
import { expectTime } from "./strip-times.ts";

const COUNT_BITS = 6;
/** A longer code is corrupt; it ends the loop over its bits. */
const MOST_PLAIN_BITS = 30;
const LARGEST_STEP = 255;

/** Receives the frames of a strip in order. `pixels`, 80 by 48 grey values, and `changes` change after the call. */
export type OnStripFrame = (frame: {
  number: number;
  atSeconds: number;
  pixels: Uint8Array;
  /** 1 for each block that changed. */
  changes: Uint8Array;
}) => void;

/**
 * Reads the head of a strip; times are in milliseconds. Throws RangeError where it is none of a strip: a pack can
 * contain any bytes, and what they cost must be bounded.
 */
export function readStripHead(bytes: Uint8Array) {
  const reader = createByteReader(bytes);
  const head = {
    step: reader.whole(),
    count: reader.whole(),
    first: reader.whole(),
    duration: reader.whole(),
  };
  const { step, count } = head;
  if (count < 1 || count > FRAMES_PER_STRIP || step < 1 || step > LARGEST_STEP)
    throw new RangeError("This is no strip.");
  return { ...head, body: reader.rest() };
}

/** Decodes a strip. Corrupt bytes after the head give other values. Throws RangeError as `readStripHead`. */
export function decodeStrip(bytes: Uint8Array, onFrame: OnStripFrame): void {
  const { step, count, first, duration, body } = readStripHead(bytes);
  const decoder = createRangeDecoder(body);
  const models = createStripModels();
  const pixels = new Uint8Array(STRIP_PIXELS);
  const levels = new Int32Array(BLOCK_PIXELS);
  const none = new Uint8Array(BLOCK_COUNT);
  // Two in turn: the changes of the frame before are the context of those of the next one.
  const changed = [none.slice(), none.slice()] as const;
  let before = none;
  let isRepeat = 0;
  const times = Array.from(
    { length: count },
    (_, number) => Math.max(0, expectTime(number, count, first, first + duration) + readTimeError()) / 1000,
  );
  for (const [number, atSeconds] of times.entries()) {
    let changes = none;
    if (number === 0) {
      changes = new Uint8Array(BLOCK_COUNT).fill(1);
      for (let at = 0; at < BLOCK_COUNT; at++) {
        fillBlock(pixels, at, predictBlock(pixels, at));
        readBlock(at, true);
      }
    } else {
      isRepeat = decoder.bit(models.repeats, isRepeat);
      if (isRepeat === 0) changes = readChanges();
    }
    onFrame({ number, atSeconds, pixels, changes });
  }

  function readTimeError(): number {
    if (decoder.bit(models.times, 0) === 0) return 0;
    return decoder.bit(models.times, 1) === 1 ? readPlain() : -readPlain();
  }

  function readChanges(): Uint8Array<ArrayBuffer> {
    const changes = before === changed[0] ? changed[1] : changed[0];
    changes.fill(0);
    for (let at = 0; at < BLOCK_COUNT; at++) {
      changes[at] = decoder.bit(models.changes, changeModelOf(changes, before, at, BLOCK_COLUMNS));
      if (changes[at] === 1) readBlock(at, false);
    }
    before = changes;
    return changes;
  }

  function readBlock(at: number, isWhole: boolean): void {
    let node = 1;
    for (let bit = 0; bit < COUNT_BITS; bit++)
      node = node * 2 + decoder.bit(models.count, countModelOf(isWhole) + node);
    const levelCount = node - 2 ** COUNT_BITS;
    for (let i = 0, isSet = 1; i < levelCount; i++) {
      isSet = i === levelCount - 1 ? 1 : decoder.bit(models.isSet, i * 2 + isSet);
      levels[i] = isSet === 1 ? readLevel(sizeModelOf(i)) : 0;
    }
    addLevels(pixels, at, levels, levelCount, step);
  }

  function readLevel(firstModel: number): number {
    const sign = decoder.plain() === 1 ? -1 : 1;
    let size = 0;
    while (size < LONGEST_UNARY && decoder.bit(models.size, firstModel + size) === 1) size++;
    if (size === LONGEST_UNARY) size += readPlain() - 1;
    return sign * (size + 1);
  }

  function readPlain(): number {
    let bits = 0;
    while (bits < MOST_PLAIN_BITS && decoder.plain() === 1) bits++;
    let value = 1;
    for (let bit = 0; bit < bits; bit++) value = value * 2 + decoder.plain();
    return value;
  }
}
