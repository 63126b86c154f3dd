// The search of the nearest codes by their Hamming distance in the lists whose centroids are nearest.

import {
  ADDRESSES,
  CAPACITY,
  CODE,
  codeBytes,
  DISTANCES,
  entryCount,
  HISTOGRAM,
  LABELS,
  LIST_SCORES,
  listCount,
  MOST_DISTANCE,
  SCORE_STEPS,
  SCORES,
  STEPS,
  VECTOR,
} from "./layout";
import {
  BLOCK_ENTRIES,
  BLOCK_HEADER,
  centroidAt,
  distanceOf,
  dot,
  fillTables,
  firstBlock,
  labelsOfBlock,
  lengthOf,
  scoreOf,
} from "./lists";
import { stateOf } from "./states";

/** The nearest lists that are scanned first have this part of the budget. */
const FIRST_SHARE: u32 = 8;

let size: u32 = 0;
/** Codes of a larger distance are not added. */
let limit: i32 = MOST_DISTANCE;

/**
 * Lists codes near the vector at VECTOR, whose signs are at CODE: of `budget` codes in the lists of the nearest
 * centroids those up to the smallest distance that at least `listed` codes have, and of these about `count`
 * with the largest products of their signs and the vector. Returns their number.
 */
export function search(budget: u32, listed: u32, count: u32, state: u8): u32 {
  size = 0;
  limit = MOST_DISTANCE;
  memory.fill(HISTOGRAM, 0, (MOST_DISTANCE + 1) << 2);
  if (entryCount() <= budget) {
    memory.fill(LIST_SCORES, 0, listCount() << 2);
    scanLists(-Infinity, Infinity, listed, state);
  } else {
    rankLists();
    // After the nearest lists few codes of the others are near enough to be added.
    const first = leastScoreOf(budget / FIRST_SHARE);
    scanLists(first, Infinity, listed, state);
    shrink(listed);
    scanLists(leastScoreOf(budget), first, listed, state);
  }
  shrink(listed);
  fillTables(VECTOR);
  return selectBest(count);
}

/** Scans the lists whose scores are at least `from` and less than `to`. */
function scanLists(from: f32, to: f32, listed: u32, state: u8): void {
  const lists = listCount();
  for (let list: u32 = 0; list < lists; list++) {
    const score = load<f32>(LIST_SCORES + (list << 2));
    if (score >= from && score < to) scanList(list, listed, state);
  }
}

let lowest: f32 = 0;
let stepsPerScore: f32 = 0;

/** Scores all lists and counts their codes by score. */
function rankLists(): void {
  const lists = listCount();
  const bytes = codeBytes() << 5;
  lowest = Infinity;
  let high: f32 = -Infinity;
  for (let list: u32 = 0; list < lists; list++) {
    const score = dot(centroidAt(list), VECTOR, bytes);
    lowest = score < lowest ? score : lowest;
    high = score > high ? score : high;
    store<f32>(LIST_SCORES + (list << 2), score);
  }
  stepsPerScore = high > lowest ? <f32>(SCORE_STEPS - 1) / (high - lowest) : 0;
  memory.fill(STEPS, 0, SCORE_STEPS << 2);
  for (let list: u32 = 0; list < lists; list++) {
    const entry = STEPS + ((<u32>((load<f32>(LIST_SCORES + (list << 2)) - lowest) * stepsPerScore)) << 2);
    store<u32>(entry, load<u32>(entry) + lengthOf(list));
  }
}

/** Returns a score that lists with at least `budget` codes reach. */
function leastScoreOf(budget: u32): f32 {
  let step: u32 = SCORE_STEPS - 1;
  for (let sum = load<u32>(STEPS + (step << 2)); step > 0 && sum < budget; )
    sum += load<u32>(STEPS + (--step << 2));
  return step === 0 ? -Infinity : lowest + <f32>step / stepsPerScore;
}

function scanList(list: u32, count: u32, state: u8): void {
  const bytes = codeBytes();
  for (let block = firstBlock(list); block !== 0; block = load<u32>(block)) {
    const entries = load<u32>(block, 4);
    const labels = labelsOfBlock(block);
    let code = block + BLOCK_HEADER;
    if (bytes === 16 && entries === BLOCK_ENTRIES) {
      scanBlock(code, labels, count, state);
      continue;
    }
    for (let at: u32 = 0; at < entries; at++, code += bytes) {
      const distance = <i32>distanceOf(code, CODE, bytes);
      if (distance <= limit) add(load<u32>(labels + (at << 2)), code, distance, count, state);
    }
  }
}

/** Scans a full block of codes of 128 bits, four at a time: few of them are near enough to be added. */
function scanBlock(codes: u32, labels: u32, count: u32, state: u8): void {
  const low = load<u64>(CODE);
  const high = load<u64>(CODE + 8);
  const end = codes + (BLOCK_ENTRIES << 4);
  let most = <u64>limit;
  for (let code = codes; code < end; code += 64, labels += 16) {
    const a = popcnt(load<u64>(code) ^ low) + popcnt(load<u64>(code, 8) ^ high);
    const b = popcnt(load<u64>(code, 16) ^ low) + popcnt(load<u64>(code, 24) ^ high);
    const c = popcnt(load<u64>(code, 32) ^ low) + popcnt(load<u64>(code, 40) ^ high);
    const d = popcnt(load<u64>(code, 48) ^ low) + popcnt(load<u64>(code, 56) ^ high);
    if (min(min(a, b), min(c, d)) > most) continue;
    if (a <= <u64>limit) add(load<u32>(labels), code, <i32>a, count, state);
    if (b <= <u64>limit) add(load<u32>(labels, 4), code + 16, <i32>b, count, state);
    if (c <= <u64>limit) add(load<u32>(labels, 8), code + 32, <i32>c, count, state);
    if (d <= <u64>limit) add(load<u32>(labels, 12), code + 48, <i32>d, count, state);
    most = <u64>limit;
  }
}

function add(label: u32, code: u32, distance: i32, count: u32, state: u8): void {
  if (stateOf(label) !== state) return;
  if (size === CAPACITY) {
    shrink(count);
    if (distance > limit) return;
  }
  store<u32>(LABELS + (size << 2), label);
  store<u32>(ADDRESSES + (size << 2), code);
  store<u16>(DISTANCES + (size << 1), <u16>distance);
  const entry = HISTOGRAM + (distance << 2);
  store<u32>(entry, load<u32>(entry) + 1);
  size++;
}

/** Removes the codes that are not needed, and lowers the limit of further ones. */
function shrink(count: u32): void {
  let sum: u32 = 0;
  let needed: i32 = 0;
  for (; needed < MOST_DISTANCE; needed++) {
    sum += load<u32>(HISTOGRAM + (needed << 2));
    if (sum >= count) break;
  }
  let remaining: u32 = 0;
  for (let at: u32 = 0; at < size; at++) {
    const distance = load<u16>(DISTANCES + (at << 1));
    if (<i32>distance > needed) continue;
    store<u32>(LABELS + (remaining << 2), load<u32>(LABELS + (at << 2)));
    store<u32>(ADDRESSES + (remaining << 2), load<u32>(ADDRESSES + (at << 2)));
    store<u16>(DISTANCES + (remaining << 1), distance);
    remaining++;
  }
  size = remaining;
  for (let distance = needed + 1; distance <= MOST_DISTANCE; distance++)
    store<u32>(HISTOGRAM + (distance << 2), 0);
  limit = min(limit, size === CAPACITY ? needed - 1 : needed);
}

/**
 * Selects about `count` of the listed labels: those of the highest scores. It counts scores in steps of their
 * range instead of sorting. Returns their number.
 */
function selectBest(count: u32): u32 {
  if (size <= count) return size;
  let low: f32 = Infinity;
  let high: f32 = -Infinity;
  for (let at: u32 = 0; at < size; at++) {
    const score = scoreOf(load<u32>(ADDRESSES + (at << 2)));
    low = score < low ? score : low;
    high = score > high ? score : high;
    store<f32>(SCORES + (at << 2), score);
  }
  const factor = high > low ? <f64>(SCORE_STEPS - 1) / (<f64>high - <f64>low) : 0;
  memory.fill(STEPS, 0, SCORE_STEPS << 2);
  for (let at: u32 = 0; at < size; at++) {
    const entry = STEPS + (stepOf(at, low, factor) << 2);
    store<u32>(entry, load<u32>(entry) + 1);
  }
  let least: u32 = SCORE_STEPS - 1;
  for (let sum = load<u32>(STEPS + (least << 2)); least > 0 && sum < count; )
    sum += load<u32>(STEPS + (--least << 2));
  let remaining: u32 = 0;
  for (let at: u32 = 0; at < size; at++) {
    if (stepOf(at, low, factor) < least) continue;
    store<u32>(LABELS + (remaining << 2), load<u32>(LABELS + (at << 2)));
    remaining++;
  }
  size = remaining;
  return size;
}

function stepOf(at: u32, low: f32, factor: f64): u32 {
  return <u32>((<f64>load<f32>(SCORES + (at << 2)) - <f64>low) * factor);
}
