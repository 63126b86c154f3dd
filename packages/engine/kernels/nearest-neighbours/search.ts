// A search ranks all leaves for each view, copies the heads and sizes of the best ones at one generation, and
// scans each of these leaves once for all views that need it. All data that a search writes is in the scratch
// memory of its reader.

import { clearHeap, HEAP_HEADER_BYTES, heapBytes, keyOf, labelOf, pushKey, sortHeap } from "./heap";
import {
  BLOCK_RECORDS,
  DIMENSIONS,
  GENERATION,
  isVisible,
  LIST_END,
  LIST_HEAD,
  LIST_MEAN_COSINE,
  LIST_SIZE,
  LIST_SLOT,
  listAt,
  PREFIX,
  RECORD_BYTES,
  read,
  slotOf,
  TREE_DIMENSIONS,
} from "./layout";
import { enter, firstRecord, leave } from "./lists";
import { ROOT } from "./tree";
import { dot1, dot4, factorOf, labelAt, rotate, writeQuery } from "./vectors";

export const VIEWS: u32 = 64;

// Scratch memory of a search: queries, thresholds, heaps of results, heaps of ranked leaves, table of leaves,
// taken leaves.
let dimensions: u32 = 0;
let queries: u32 = 0;
let vectors: u32 = 0;
let rests: u32 = 0;
let prefix: u32 = 0;
let treeDimensions: u32 = 0;
let thresholds: u32 = 0;
let results: u32 = 0;
let resultBytes: u32 = 0;
let ranked: u32 = 0;
let rankedBytes: u32 = 0;
let takenOfList: u32 = 0;
let taken: u32 = 0;
let takenCount: u32 = 0;
let filter: u32 = 0;
let filterEnd: u32 = 0;
let scanned: u32 = 0;

let spread: f32 = 0;

// A taken leaf: head, size, views (64 bits), mean cosine of its frames with the centroid, a copy of the
// centroid's record. The record is copied because the writer may move it during the scan.
const TAKEN_HEAD: u32 = 0;
const TAKEN_SIZE: u32 = 4;
const TAKEN_VIEWS: u32 = 8;
const TAKEN_MEAN_COSINE: u32 = 16;
const TAKEN_CENTROID: u32 = 24;

/**
 * Returns the bytes of scratch memory that a search with these numbers of views, results and leaves per view
 * needs.
 */
export function searchBytes(views: u32, count: u32, leaves: u32): u32 {
  const lists = read(LIST_END) + 4096;
  return (
    (views + 1) * (2 * read(DIMENSIONS) + 8 + heapBytes(count) + heapBytes(leaves) + leaves * takenBytes()) +
    lists * 4 +
    (views + 2) * 4 * read(DIMENSIONS) +
    1024
  );
}

/** Returns the address of the views of a search: consecutive float unit vectors. */
export function prepare(scratch: u32, views: u32, count: u32, leaves: u32): u32 {
  dimensions = read(DIMENSIONS);
  prefix = read(PREFIX);
  treeDimensions = read(TREE_DIMENSIONS);
  vectors = (scratch + 15) & ~15;
  // One more vector is the buffer of a rotated one.
  queries = vectors + (views + 1) * 4 * dimensions;
  rests = queries + (views + 1) * 2 * dimensions;
  thresholds = rests + 4 * (views + 1);
  results = (thresholds + 4 * (views + 1) + 7) & ~7;
  resultBytes = heapBytes(count);
  ranked = results + (views + 1) * resultBytes;
  rankedBytes = heapBytes(leaves);
  taken = ranked + (views + 1) * rankedBytes;
  takenOfList = taken + (views + 1) * leaves * takenBytes();
  for (let view: u32 = 0; view <= views; view++) {
    clearHeap(results + view * resultBytes, count);
    clearHeap(ranked + view * rankedBytes, leaves);
  }
  // The query after the last one completes a group of four; no score exceeds its threshold.
  memory.fill(queries + views * 2 * dimensions, 0, 2 * dimensions);
  return vectors;
}

function writeQueries(views: u32): void {
  const rotated = vectors + views * 4 * dimensions;
  for (let view: u32 = 0; view < views; view++) {
    rotate(vectors + view * 4 * dimensions, rotated);
    store<f32>(rests + (view << 2), writeQuery(rotated, queryAt(view)));
  }
  store<f32>(rests + (views << 2), 0);
}

/**
 * Returns the address of the sorted results of a view: their number, an unused number, then one key of 8
 * bytes each.
 */
export function resultsOf(view: u32): u32 {
  return results + view * resultBytes;
}

/** Returns the number of records that the last search compared, times views. */
export function scannedRecords(): u32 {
  return scanned;
}

/**
 * Finds the nearest frames of each view in at most `leaves` leaves that contain at most `budget` frames.
 * `bits`, when not 0, has a bit per label below `end`: only labels with a set bit are compared.
 */
export function search(
  reader: u32,
  views: u32,
  leaves: u32,
  budget: u32,
  most: f32,
  bits: u32,
  end: u32,
): void {
  scanned = 0;
  spread = most;
  writeQueries(views);
  enter(reader);
  let generation: u32;
  do {
    generation = stableGeneration();
    rank(views, leaves);
    take(views, budget);
    // Adds 0 instead of loading: on arm64, earlier loads may not move behind an addition (Boehm 2012, on
    // seqlocks).
  } while (atomic.add<u32>(GENERATION, 0) !== generation);
  filter = bits;
  filterEnd = end;
  resetThresholds(views);
  for (let at: u32 = 0; at < takenCount; at++) scanTaken(views, taken + at * takenBytes());
  leave(reader);
  for (let view: u32 = 0; view < views; view++) sortHeap(results + view * resultBytes);
}

/**
 * Compares all visible frames with labels from `first` up to `end` with each view; `finish` sorts the
 * results.
 */
export function compareRange(reader: u32, views: u32, first: u32, end: u32): void {
  enter(reader);
  for (let label = first; label < end; label++) {
    const record = slotOf(label);
    if (record === 0 || !isVisible(label)) continue;
    for (let view: u32 = 0; view < views; view += 4) {
      compare(record, view, min(view + 1, views), min(view + 2, views), min(view + 3, views));
    }
  }
  leave(reader);
}

export function begin(views: u32): void {
  scanned = 0;
  filter = 0;
  writeQueries(views);
  resetThresholds(views);
}

export function finish(views: u32): void {
  for (let view: u32 = 0; view < views; view++) sortHeap(results + view * resultBytes);
}

function compare(record: u32, v0: u32, v1: u32, v2: u32, v3: u32): void {
  const scores = f32x4.mul(
    f32x4.convert_i32x4_s(dot4(record, queryAt(v0), queryAt(v1), queryAt(v2), queryAt(v3), 0, dimensions)),
    f32x4.splat(factorOf(record)),
  );
  const label = labelAt(record);
  offer(v0, f32x4.extract_lane(scores, 0), label);
  offer(v1, f32x4.extract_lane(scores, 1), label);
  offer(v2, f32x4.extract_lane(scores, 2), label);
  offer(v3, f32x4.extract_lane(scores, 3), label);
}

function stableGeneration(): u32 {
  let generation: u32;
  do {
    generation = atomic.load<u32>(GENERATION);
  } while ((generation & 1) !== 0);
  return generation;
}

function resetThresholds(views: u32): void {
  for (let view: u32 = 0; view < views; view++) store<f32>(thresholds + (view << 2), -Infinity);
  store<f32>(thresholds + (views << 2), Infinity);
}

function queryAt(view: u32): u32 {
  return queries + view * 2 * dimensions;
}

function rank(views: u32, leaves: u32): void {
  resetThresholds(views);
  for (let view: u32 = 0; view < views; view++) clearHeap(ranked + view * rankedBytes, leaves);
  const root = listAt(ROOT);
  const bytes = read(RECORD_BYTES);
  let left = read(root + LIST_SIZE);
  for (let block = read(root + LIST_HEAD); left > 0 && block !== 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      const top = listAt(labelAt(record));
      const head = read(top + LIST_HEAD);
      const size = read(top + LIST_SIZE);
      for (let view: u32 = 0; view < views; view += 4) {
        rank4(head, size, view, min(view + 1, views), min(view + 2, views), min(view + 3, views));
      }
    }
    left -= count;
  }
  for (let view: u32 = 0; view < views; view++) sortHeap(ranked + view * rankedBytes);
}

/** Takes the best leaves of each view, highest rank first, until they contain `budget` frames. */
function take(views: u32, budget: u32): void {
  memory.fill(takenOfList, 0, (read(LIST_END) + 64) << 2);
  takenCount = 0;
  const end = read(LIST_END);
  let isMore = true;
  // Frames taken per view. The thresholds are unused during this step.
  for (let view: u32 = 0; view < views; view++) store<u32>(thresholds + (view << 2), 0);
  for (let rank: u32 = 0; isMore; rank++) {
    isMore = false;
    for (let view: u32 = 0; view < views; view++) {
      const heap = ranked + view * rankedBytes;
      const frames = load<u32>(thresholds + (view << 2));
      if (rank >= load<u32>(heap) || frames >= budget) continue;
      isMore = true;
      const list = labelOf(load<u64>(heap + HEAP_HEADER_BYTES + (rank << 3)));
      if (list >= end) continue;
      const size = takeFor(list, view);
      store<u32>(thresholds + (view << 2), frames + size);
    }
  }
}

function takenBytes(): u32 {
  return TAKEN_CENTROID + read(RECORD_BYTES);
}

function takeFor(list: u32, view: u32): u32 {
  const at = takenOfList + (list << 2);
  let number = read(at);
  if (number === 0) {
    number = ++takenCount;
    store<u32>(at, number);
    const fresh = taken + (number - 1) * takenBytes();
    const entry = listAt(list);
    store<u32>(fresh + TAKEN_HEAD, read(entry + LIST_HEAD));
    store<u32>(fresh + TAKEN_SIZE, atomic.load<u32>(entry + LIST_SIZE));
    store<u64>(fresh + TAKEN_VIEWS, 0);
    memory.copy(fresh + TAKEN_CENTROID, read(entry + LIST_SLOT), read(RECORD_BYTES));
    store<u32>(fresh + TAKEN_MEAN_COSINE, read(entry + LIST_MEAN_COSINE));
  }
  const one = taken + (number - 1) * takenBytes();
  store<u64>(one + TAKEN_VIEWS, load<u64>(one + TAKEN_VIEWS) | ((<u64>1) << (<u64>view)));
  return load<u32>(one + TAKEN_SIZE);
}

function scanTaken(views: u32, one: u32): void {
  const head = load<u32>(one + TAKEN_HEAD);
  const size = load<u32>(one + TAKEN_SIZE);
  let mask = promisingViews(one);
  while (mask !== 0) {
    const v0 = <u32>ctz(mask);
    mask &= mask - 1;
    if (mask === 0) {
      scan1(head, size, v0);
      return;
    }
    const v1 = <u32>ctz(mask);
    mask &= mask - 1;
    const v2 = mask === 0 ? views : <u32>ctz(mask);
    if (mask !== 0) mask &= mask - 1;
    const v3 = mask === 0 ? views : <u32>ctz(mask);
    if (mask !== 0) mask &= mask - 1;
    scan4(head, size, v0, v1, v2, v3);
  }
}

/**
 * Returns the views for which a leaf may contain one of the nearest frames. A frame x of a leaf with centroid
 * c and x.c = m has q.x = m (q.c) + sqrt((1 - m^2) (1 - (q.c)^2)) u. u, the cosine of the parts of q and x
 * that are orthogonal to c, rarely exceeds a few times 1 / sqrt(dimensions): `spread`. Leaves are scanned
 * best first, so thresholds rise early.
 */
function promisingViews(one: u32): u64 {
  const mean = load<f32>(one + TAKEN_MEAN_COSINE);
  const slot = one + TAKEN_CENTROID;
  let mask = load<u64>(one + TAKEN_VIEWS);
  let promising: u64 = 0;
  const factor = load<f32>(slot + dimensions);
  while (mask !== 0) {
    const view = <u32>ctz(mask);
    const bit = (<u64>1) << (<u64>view);
    mask ^= bit;
    const similarity = min<f32>(1, <f32>dot1(slot, queryAt(view), 0, treeDimensions) * factor);
    const rest = sqrt(max<f32>(0, (1 - mean * mean) * (1 - similarity * similarity)));
    if (mean === 0 || load<f32>(thresholds + (view << 2)) <= mean * similarity + spread * rest)
      promising |= bit;
  }
  return promising;
}

/** Ranks the leaves of a list of level 1 for four views. */
function rank4(head: u32, size: u32, v0: u32, v1: u32, v2: u32, v3: u32): void {
  const bytes = read(RECORD_BYTES);
  const q0 = queryAt(v0);
  const q1 = queryAt(v1);
  const q2 = queryAt(v2);
  const q3 = queryAt(v3);
  let least = leastOf(thresholds, v0, v1, v2, v3);
  let left = size;
  for (let block = head; left > 0 && block !== 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      const scores = f32x4.mul(
        f32x4.convert_i32x4_s(dot4(record, q0, q1, q2, q3, 0, treeDimensions)),
        f32x4.splat(load<f32>(record + dimensions)),
      );
      const passes = i32x4.bitmask(f32x4.ge(scores, least));
      if (passes === 0) continue;
      const list = load<u32>(record + dimensions + 8);
      if ((passes & 1) !== 0) offerLeaf(v0, f32x4.extract_lane(scores, 0), list);
      if ((passes & 2) !== 0) offerLeaf(v1, f32x4.extract_lane(scores, 1), list);
      if ((passes & 4) !== 0) offerLeaf(v2, f32x4.extract_lane(scores, 2), list);
      if ((passes & 8) !== 0) offerLeaf(v3, f32x4.extract_lane(scores, 3), list);
      least = leastOf(thresholds, v0, v1, v2, v3);
    }
    left -= count;
  }
}

/**
 * Scans a leaf for four views: the prefix first, and the rest where the bound of the prefix does not decide
 * the result.
 */
function scan4(head: u32, size: u32, v0: u32, v1: u32, v2: u32, v3: u32): void {
  const bytes = read(RECORD_BYTES);
  const q0 = queryAt(v0);
  const q1 = queryAt(v1);
  const q2 = queryAt(v2);
  const q3 = queryAt(v3);
  const rest = leastOf(rests, v0, v1, v2, v3);
  let least = leastOf(thresholds, v0, v1, v2, v3);
  let left = size;
  for (let block = head; left > 0 && block !== 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (filter !== 0 && !isPromising(record)) continue;
      const sums = dot4(record, q0, q1, q2, q3, 0, prefix);
      const factor = f32x4.splat(load<f32>(record + dimensions));
      const bound = f32x4.add(
        f32x4.mul(f32x4.convert_i32x4_s(sums), factor),
        f32x4.mul(rest, f32x4.splat(load<f32>(record + dimensions + 4))),
      );
      if (!v128.any_true(f32x4.ge(bound, least))) continue;
      const all = i32x4.add(sums, dot4(record, q0, q1, q2, q3, prefix, dimensions));
      const scores = f32x4.mul(f32x4.convert_i32x4_s(all), factor);
      const passes = i32x4.bitmask(f32x4.ge(scores, least));
      if (passes === 0) continue;
      const label = load<u32>(record + dimensions + 8);
      if (!isVisible(label)) continue;
      if ((passes & 1) !== 0) offer(v0, f32x4.extract_lane(scores, 0), label);
      if ((passes & 2) !== 0) offer(v1, f32x4.extract_lane(scores, 1), label);
      if ((passes & 4) !== 0) offer(v2, f32x4.extract_lane(scores, 2), label);
      if ((passes & 8) !== 0) offer(v3, f32x4.extract_lane(scores, 3), label);
      least = leastOf(thresholds, v0, v1, v2, v3);
    }
    left -= count;
    scanned += count * 4;
  }
}

function scan1(head: u32, size: u32, view: u32): void {
  const bytes = read(RECORD_BYTES);
  const query = queryAt(view);
  const rest = load<f32>(rests + (view << 2));
  let least = load<f32>(thresholds + (view << 2));
  let left = size;
  for (let block = head; left > 0 && block !== 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (filter !== 0 && !isPromising(record)) continue;
      const sum = dot1(record, query, 0, prefix);
      const factor = load<f32>(record + dimensions);
      if (<f32>sum * factor + rest * load<f32>(record + dimensions + 4) < least) continue;
      const score = <f32>(sum + dot1(record, query, prefix, dimensions)) * factor;
      if (score < least) continue;
      const label = load<u32>(record + dimensions + 8);
      if (!isVisible(label)) continue;
      offer(view, score, label);
      least = load<f32>(thresholds + (view << 2));
    }
    left -= count;
    scanned += count;
  }
}

function leastOf(table: u32, v0: u32, v1: u32, v2: u32, v3: u32): v128 {
  return f32x4(
    load<f32>(table + (v0 << 2)),
    load<f32>(table + (v1 << 2)),
    load<f32>(table + (v2 << 2)),
    load<f32>(table + (v3 << 2)),
  );
}

function offer(view: u32, score: f32, label: u32): void {
  const threshold = thresholds + (view << 2);
  if (score < load<f32>(threshold)) return;
  store<f32>(threshold, pushKey(results + view * resultBytes, keyOf(score, label)));
}

function offerLeaf(view: u32, score: f32, list: u32): void {
  store<f32>(thresholds + (view << 2), pushKey(ranked + view * rankedBytes, keyOf(score, list)));
}

function isPromising(record: u32): bool {
  const label = load<u32>(record + dimensions + 8);
  return label < filterEnd && ((load<u8>(filter + (label >> 3)) >> (label & 7)) & 1) !== 0;
}
