// The lists form a tree of three levels. The root contains the centroids of the lists of level 1, these
// contain the centroids of the leaves, and leaves contain frames. A leaf that is too long is divided by
// 2-means. Frames of neighbouring leaves that are nearer to one of the two new centroids move there, so the
// partition follows the data without training phases (LIRE: Xu et al., SPFresh, SOSP 2023). Only one thread
// writes.

import { clearHeap, HEAP_HEADER_BYTES, keyOf, labelOf, pushKey, sortHeap } from "./heap";
import {
  AXES,
  BLOCK_RECORDS,
  DIMENSIONS,
  GENERATION,
  LEAF_COUNT,
  LIST_BYTES,
  LIST_END,
  LIST_HEAD,
  LIST_LEAST_SPLIT,
  LIST_LEVEL,
  LIST_MEAN_COSINE,
  LIST_PARENT,
  LIST_SIZE,
  LIST_SLOT,
  LIST_TAIL,
  listAt,
  RANDOM_STATE,
  RECORD_BYTES,
  RECORD_COUNT,
  REFINE_NEXT,
  read,
  SUPER_COUNT,
  TREE_DIMENSIONS,
  WRITER_SCRATCH,
  write,
} from "./layout";
import {
  append,
  canRetire,
  clearList,
  createList,
  deleteList,
  firstRecord,
  isLive,
  postponeSplit,
  removeCentroid,
  reserveBlocks,
  retire,
} from "./lists";
import {
  accumulate,
  cosine,
  dot1,
  dot4,
  factorOf,
  finishRecord,
  labelAt,
  meanLength,
  queryOfRecord,
  recordOfSums,
  rotate,
  setLabel,
} from "./vectors";

export const ROOT: u32 = 0;
/** Lists of level 1 that are searched for the nearest leaf of a frame. */
const ASSIGN_SUPERS: u32 = 8;
/** Leaves around a divided one whose frames may move. */
const NEIGHBOURS: u32 = 16;
/** Leaves to which the frames of a refined leaf may move; a multiple of 4. */
const REFINE_NEIGHBOURS: u32 = 32;
/** Upper bound of the lists that one insertion copies: a leaf, its neighbours and their parents. */
export const CHANGED_LISTS: u32 = 2 * REFINE_NEIGHBOURS + 8;
const ITERATIONS: u32 = 6;
const SEED_TRIES: u32 = 3;
/** Records of a list on which 2-means is trained at most. */
const TRAINING_RECORDS: u32 = 4096;
/** Frames of a divided leaf that may move to another leaf in one change. */
const MOVES: u32 = 4096;
const LEAST_LEAF: u32 = 64;
const LEAST_SUPER: u32 = 32;

// The scratch memory of the writer. Vectors take at most 4 bytes per dimension here, so 1 KiB holds 256
// dimensions.
const VECTOR: u32 = 16384;
const QUERY_A: u32 = 0;
const QUERY_B: u32 = VECTOR;
const QUERY_OLD: u32 = 2 * VECTOR;
const QUERY_X: u32 = 3 * VECTOR;
const QUERY_NEIGHBOUR: u32 = 4 * VECTOR;
const SUMS_A: u32 = 5 * VECTOR;
const SUMS_B: u32 = 6 * VECTOR;
const RECORD_A: u32 = 7 * VECTOR;
const RECORD_B: u32 = 8 * VECTOR;
const RECORD_OLD: u32 = 9 * VECTOR;
const HEAP: u32 = 10 * VECTOR;
const ENTRIES: u32 = 11 * VECTOR;
const RECORD_NEW: u32 = 12 * VECTOR;
const CANDIDATES: u32 = 13 * VECTOR;
const MOVED: u32 = CANDIDATES + REFINE_NEIGHBOURS * 2048;
/** Buffer for input and output of the writer. */
export const WRITER_INPUT: u32 = MOVED + MOVES * 8;
export const WRITER_INPUT_BYTES: u32 = 65536;
export const WRITER_SCRATCH_BYTES: u32 = WRITER_INPUT + WRITER_INPUT_BYTES;

function scratch(offset: u32): u32 {
  return read(WRITER_SCRATCH) + offset;
}

/**
 * Returns the size limit of a leaf: about 4 sqrt(frames) leaves balance the cost of ranking and of scanning
 * leaves.
 */
export function leafLimit(): u32 {
  return max(LEAST_LEAF, <u32>(0.36 * sqrt<f32>(<f32>read(RECORD_COUNT))));
}

function superLimit(): u32 {
  return max(LEAST_SUPER, <u32>(1.4 * sqrt<f32>(<f32>read(LEAF_COUNT))));
}

/**
 * Returns the leaf with the most similar centroid except `except`. `query` is a vector as `queryOfRecord`
 * writes it.
 */
function nearestLeaf(query: u32, except: u32): u32 {
  const heap = scratch(HEAP);
  clearHeap(heap, ASSIGN_SUPERS);
  pushChildren(ROOT, query, heap);
  let best: u64 = 0;
  for (let at: u32 = 0, size = load<u32>(heap); at < size; at++) {
    const key = nearestChild(labelOf(load<u64>(heap + HEAP_HEADER_BYTES + (at << 3))), query, except);
    best = max(best, key);
  }
  return best === 0 ? 0 : labelOf(best);
}

function pushChildren(list: u32, query: u32, heap: u32): void {
  const entry = listAt(list);
  const bytes = read(RECORD_BYTES);
  let left = read(entry + LIST_SIZE);
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      pushKey(heap, keyOf(cosine(record, query), labelAt(record)));
    }
    left -= count;
  }
}

function nearestChild(list: u32, query: u32, except: u32): u64 {
  const entry = listAt(list);
  const bytes = read(RECORD_BYTES);
  let best: u64 = 0;
  let left = read(entry + LIST_SIZE);
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (labelAt(record) === except) continue;
      best = max(best, keyOf(cosine(record, query), labelAt(record)));
    }
    left -= count;
  }
  return best;
}

/** Inserts a frame, an int8 vector of any length, into its nearest leaf. */
export function insert(code: u32, label: u32): void {
  const record = scratch(RECORD_NEW);
  if (read(AXES) === 0) {
    // The code is copied: a second rounding would reduce its precision.
    memory.copy(record, code, read(DIMENSIONS));
    finishRecord(record, label);
  } else {
    const vector = scratch(SUMS_A);
    const rotated = scratch(SUMS_B);
    for (let at: u32 = 0; at < read(DIMENSIONS); at++)
      store<f32>(vector + (at << 2), <f32>load<i8>(code + at));
    rotate(vector, rotated);
    if (!recordOfSums(rotated, record, label)) {
      memory.fill(record, 0, read(RECORD_BYTES));
      setLabel(record, label);
    }
  }

  if (read(LEAF_COUNT) === 0) createFirstLeaf(record);
  const query = scratch(QUERY_X);
  queryOfRecord(record, query);
  const leaf = nearestLeaf(query, 0);
  const entry = listAt(leaf);
  append(entry, leaf, record);
  write(RECORD_COUNT, read(RECORD_COUNT) + 1);
  if (read(entry + LIST_SIZE) > max(leafLimit(), read(entry + LIST_LEAST_SPLIT))) split(leaf);
}

function createFirstLeaf(record: u32): void {
  const top = createList(1);
  const leaf = createList(0);
  const centroid = scratch(RECORD_A);
  memory.copy(centroid, record, read(RECORD_BYTES));
  begin();
  addCentroid(listAt(ROOT), ROOT, centroid, top);
  addCentroid(listAt(top), top, centroid, leaf);
  write(SUPER_COUNT, 1);
  write(LEAF_COUNT, 1);
  end();
}

function addCentroid(entry: u32, list: u32, centroid: u32, child: u32): void {
  setLabel(centroid, child);
  append(entry, list, centroid);
}

/** A reader that copies heads and sizes of lists between `begin` and `end` repeats the copy. */
function begin(): void {
  atomic.add<u32>(GENERATION, 1);
}

function end(): void {
  atomic.add<u32>(GENERATION, 1);
}

/** Divides a list by 2-means; a list of equal vectors stays undivided. */
function split(list: u32): void {
  const entry = listAt(list);
  const level = read(entry + LIST_LEVEL);
  if (!train(entry, level)) {
    postponeSplit(entry);
    return;
  }
  memory.copy(scratch(RECORD_OLD), read(entry + LIST_SLOT), read(RECORD_BYTES));
  queryOfRecord(scratch(RECORD_A), scratch(QUERY_A));
  queryOfRecord(scratch(RECORD_B), scratch(QUERY_B));
  queryOfRecord(scratch(RECORD_OLD), scratch(QUERY_OLD));
  const other = createList(level);
  const a = scratch(ENTRIES);
  const b = a + LIST_BYTES;
  clearList(a, level);
  clearList(b, level);
  clearHeap(scratch(HEAP), NEIGHBOURS);
  if (level === 0) findNeighbours(list, scratch(QUERY_OLD), NEIGHBOURS);
  const neighbours = scratch(HEAP);
  const old = read(entry + LIST_HEAD);
  // Children of a list of level 1 store their address, so moving them is part of the change that readers
  // detect.
  if (level > 0) begin();
  const moves = distribute(entry, list, a, other, b, level);
  let pending: u32 = 0;
  for (let at: u32 = 0, count = load<u32>(neighbours); level === 0 && at < count; at++) {
    const key = load<u64>(neighbours + HEAP_HEADER_BYTES + (at << 3));
    const next = b + (pending + 1) * LIST_BYTES;
    if (takeFrom(labelOf(key), list, a, other, b, next)) {
      // Stores the number of the list in the unused split limit.
      write(next + LIST_LEAST_SPLIT, labelOf(key));
      pending++;
    }
  }
  if (level === 0) begin();
  publish(list, a);
  publish(other, b);
  copyMeanCosine(list, other);
  retire(old);
  for (let at: u32 = 1; at <= pending; at++) {
    const next = b + at * LIST_BYTES;
    const neighbour = read(next + LIST_LEAST_SPLIT);
    retire(read(listAt(neighbour) + LIST_HEAD));
    write(next + LIST_LEAST_SPLIT, 0);
    publish(neighbour, next);
  }
  for (let at: u32 = 0; at < moves; at++) {
    const move = scratch(MOVED) + (at << 3);
    const to = read(move + 4);
    append(listAt(to), to, read(move));
  }
  if (level === 0) {
    replaceCentroid(list, other);
    write(LEAF_COUNT, read(LEAF_COUNT) + 1);
  } else {
    removeCentroid(list);
    addCentroid(listAt(ROOT), ROOT, scratch(RECORD_A), list);
    addCentroid(listAt(ROOT), ROOT, scratch(RECORD_B), other);
    write(SUPER_COUNT, read(SUPER_COUNT) + 1);
  }
  end();
  if (level === 0) splitParents(list, other);
}

/** Moves both centroids to the nearest lists of level 1. */
function replaceCentroid(list: u32, other: u32): void {
  const top = read(listAt(list) + LIST_PARENT);
  removeCentroid(list);
  const first = nearestSuper(scratch(QUERY_A));
  addCentroid(listAt(first), first, scratch(RECORD_A), list);
  const second = nearestSuper(scratch(QUERY_B));
  addCentroid(listAt(second), second, scratch(RECORD_B), other);
  deleteIfEmpty(top);
}

function deleteIfEmpty(top: u32): void {
  if (read(listAt(top) + LIST_SIZE) > 0 || read(SUPER_COUNT) === 1) return;
  removeCentroid(top);
  deleteList(top);
  write(SUPER_COUNT, read(SUPER_COUNT) - 1);
}

function nearestSuper(query: u32): u32 {
  return labelOf(nearestChild(ROOT, query, 0));
}

function splitParents(list: u32, other: u32): void {
  splitIfLong(read(listAt(list) + LIST_PARENT));
  splitIfLong(read(listAt(other) + LIST_PARENT));
}

function splitIfLong(top: u32): void {
  const entry = listAt(top);
  if (read(entry + LIST_SIZE) > max(superLimit(), read(entry + LIST_LEAST_SPLIT))) split(top);
}

function publish(list: u32, from: u32): void {
  const entry = listAt(list);
  write(entry + LIST_HEAD, read(from + LIST_HEAD));
  write(entry + LIST_TAIL, read(from + LIST_TAIL));
  write(entry + LIST_SIZE, read(from + LIST_SIZE));
  write(entry + LIST_LEAST_SPLIT, 0);
}

/** Parts of a divided leaf are at least as dense as the leaf; refinement measures them. */
function copyMeanCosine(from: u32, to: u32): void {
  write(listAt(to) + LIST_MEAN_COSINE, read(listAt(from) + LIST_MEAN_COSINE));
}

/** Collects the leaves nearest to a query except one in the heap, best first. */
function findNeighbours(list: u32, query: u32, most: u32): void {
  // nearestLeaf uses the same heap, so the lists of level 1 are collected in a second one.
  const tops = scratch(HEAP) + 4096;
  const heap = scratch(HEAP);
  clearHeap(tops, ASSIGN_SUPERS);
  pushChildren(ROOT, query, tops);
  clearHeap(heap, most + 1);
  for (let at: u32 = 0, size = load<u32>(tops); at < size; at++) {
    pushChildren(labelOf(load<u64>(tops + HEAP_HEADER_BYTES + (at << 3))), query, heap);
  }
  sortHeap(heap);
  const keys = heap + HEAP_HEADER_BYTES;
  let remaining: u32 = 0;
  for (let at: u32 = 0, size = load<u32>(heap); at < size && remaining < most; at++) {
    const key = load<u64>(keys + (at << 3));
    if (labelOf(key) !== list) store<u64>(keys + (remaining++ << 3), key);
  }
  store<u32>(heap, remaining);
}

/**
 * Copies the records of a list into two chains; returns the number of frames that move to other leaves
 * instead.
 */
function distribute(entry: u32, list: u32, a: u32, other: u32, b: u32, level: u32): u32 {
  const bytes = read(RECORD_BYTES);
  const dimensions = read(TREE_DIMENSIONS);
  const queryA = scratch(QUERY_A);
  const queryB = scratch(QUERY_B);
  const queryOld = scratch(QUERY_OLD);
  let moves: u32 = 0;
  let left = read(entry + LIST_SIZE);
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (!isLive(record, level)) {
        if (level === 0) write(RECORD_COUNT, read(RECORD_COUNT) - 1);
        continue;
      }
      const sums = dot4(record, queryA, queryB, queryOld, queryOld, 0, dimensions);
      const toA = i32x4.extract_lane(sums, 0);
      const toB = i32x4.extract_lane(sums, 1);
      // The frame is farther from both centroids than from the old one: another leaf may be nearer.
      if (level === 0 && max(toA, toB) < i32x4.extract_lane(sums, 2) && moves < MOVES) {
        const target = nearerNeighbour(record, max(toA, toB));
        if (target !== 0) {
          const move = scratch(MOVED) + (moves++ << 3);
          write(move, record);
          write(move + 4, target);
          continue;
        }
      }
      if (toA >= toB) append(a, list, record);
      else append(b, other, record);
    }
    left -= count;
  }
  return moves;
}

function nearerNeighbour(record: u32, least: i32): u32 {
  const query = scratch(QUERY_NEIGHBOUR);
  queryOfRecord(record, query);
  const heap = scratch(HEAP);
  let best = <f32>least * factorOf(record);
  let nearest: u32 = 0;
  for (let at: u32 = 0, size = load<u32>(heap); at < size; at++) {
    const neighbour = labelOf(load<u64>(heap + HEAP_HEADER_BYTES + (at << 3)));
    const score = cosine(read(listAt(neighbour) + LIST_SLOT), query);
    if (score > best) {
      best = score;
      nearest = neighbour;
    }
  }
  return nearest;
}

/**
 * Copies a neighbouring leaf without the frames that are nearer to one of the new centroids; returns false
 * without such frames.
 */
function takeFrom(neighbour: u32, list: u32, a: u32, other: u32, b: u32, rest: u32): bool {
  const bytes = read(RECORD_BYTES);
  const dimensions = read(TREE_DIMENSIONS);
  const entry = listAt(neighbour);
  const queryA = scratch(QUERY_A);
  const queryB = scratch(QUERY_B);
  const own = scratch(QUERY_NEIGHBOUR);
  queryOfRecord(read(entry + LIST_SLOT), own);
  let isTouched = false;
  for (let pass = 0; pass < 2; pass++) {
    if (pass === 1) {
      if (!isTouched) return false;
      clearList(rest, 0);
    }
    let left = read(entry + LIST_SIZE);
    for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
      const count = min(left, BLOCK_RECORDS);
      for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
        if (pass === 1 && !isLive(record, 0)) {
          write(RECORD_COUNT, read(RECORD_COUNT) - 1);
          continue;
        }
        const sums = dot4(record, queryA, queryB, own, own, 0, dimensions);
        const toA = i32x4.extract_lane(sums, 0);
        const toB = i32x4.extract_lane(sums, 1);
        const isNearer = max(toA, toB) > i32x4.extract_lane(sums, 2);
        if (pass === 0) {
          isTouched = isTouched || isNearer;
        } else if (!isNearer) {
          append(rest, neighbour, record);
        } else if (toA >= toB) {
          append(a, list, record);
        } else {
          append(b, other, record);
        }
      }
      left -= count;
    }
  }
  return true;
}

/**
 * Divides the live records of a list into two centroid records by 2-means; returns false when all records are
 * alike.
 */
function train(entry: u32, level: u32): bool {
  const size = read(entry + LIST_SIZE);
  let bestBalance: u32 = 0;
  const recordA = scratch(RECORD_A);
  const recordB = scratch(RECORD_B);
  const storeA = scratch(RECORD_OLD);
  const storeB = storeA + 8192;
  const bytes = read(RECORD_BYTES);
  for (let attempt: u32 = 0; attempt < SEED_TRIES; attempt++) {
    if (!pickSeeds(entry, level, size)) continue;
    let balance: u32 = 0;
    for (let iteration: u32 = 0; iteration < ITERATIONS; iteration++) {
      balance = iterate(entry, level, size);
      if (balance === 0) break;
    }
    if (balance > bestBalance) {
      bestBalance = balance;
      memory.copy(storeA, recordA, bytes);
      memory.copy(storeB, recordB, bytes);
    }
    if (bestBalance * 8 >= min(size, TRAINING_RECORDS)) break;
  }
  if (bestBalance === 0) return false;
  memory.copy(recordA, storeA, bytes);
  memory.copy(recordB, storeB, bytes);
  return true;
}

function random(below: u32): u32 {
  let state = read(RANDOM_STATE);
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  write(RANDOM_STATE, state);
  return state % below;
}

function recordAt(entry: u32, index: u32): u32 {
  let block = read(entry + LIST_HEAD);
  for (let skipped = index / BLOCK_RECORDS; skipped > 0; skipped--) block = read(block);
  return firstRecord(block) + (index % BLOCK_RECORDS) * read(RECORD_BYTES);
}

function pickSeeds(entry: u32, level: u32, size: u32): bool {
  const bytes = read(RECORD_BYTES);
  const first = recordAt(entry, random(size));
  const second = recordAt(entry, random(size));
  if (!isLive(first, level) || !isLive(second, level)) return false;
  memory.copy(scratch(RECORD_A), first, bytes);
  memory.copy(scratch(RECORD_B), second, bytes);
  return true;
}

/**
 * Performs one step of Lloyd's algorithm on the unit sphere; returns the size of the smaller part, 0 when one
 * is empty.
 */
function iterate(entry: u32, level: u32, size: u32): u32 {
  const dimensions = read(TREE_DIMENSIONS);
  const bytes = read(RECORD_BYTES);
  const queryA = scratch(QUERY_A);
  const queryB = scratch(QUERY_B);
  queryOfRecord(scratch(RECORD_A), queryA);
  queryOfRecord(scratch(RECORD_B), queryB);
  const sumsA = scratch(SUMS_A);
  const sumsB = scratch(SUMS_B);
  memory.fill(sumsA, 0, read(DIMENSIONS) << 2);
  memory.fill(sumsB, 0, read(DIMENSIONS) << 2);
  let countA: u32 = 0;
  let countB: u32 = 0;
  let left = size;
  for (
    let block = read(entry + LIST_HEAD);
    left > 0 && countA + countB < TRAINING_RECORDS;
    block = read(block)
  ) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (!isLive(record, level)) continue;
      const sums = dot4(record, queryA, queryB, queryA, queryB, 0, dimensions);
      const difference = i32x4.extract_lane(sums, 0) - i32x4.extract_lane(sums, 1);
      if (difference > 0) {
        accumulate(record, sumsA);
        countA++;
      } else if (difference < 0) {
        accumulate(record, sumsB);
        countB++;
      }
    }
    left -= count;
  }
  if (countA === 0 || countB === 0) return 0;
  if (!recordOfSums(sumsA, scratch(RECORD_A), 0) || !recordOfSums(sumsB, scratch(RECORD_B), 0)) return 0;
  return min(countA, countB);
}

/**
 * Moves centroids to the means of their frames, and frames to nearer centroids of neighbouring leaves: steps
 * of Lloyd's algorithm on one leaf after another, for leaves of about `frames` frames. Without refinement a
 * search compares nearly three times as many frames for the same recall. Returns the number of processed
 * frames, which is smaller when memory must be freed first.
 */
export function refine(frames: u32): u32 {
  let done: u32 = 0;
  const lists = read(LIST_END);
  for (let tried: u32 = 0; tried < lists && done < frames; tried++) {
    const list = (read(REFINE_NEXT) + 1) % lists;
    write(REFINE_NEXT, list);
    const entry = listAt(list);
    const size = read(entry + LIST_SIZE);
    if (read(entry + LIST_LEVEL) !== 0 || read(entry + LIST_SLOT) === 0 || size === 0) continue;
    if (!canRetire(CHANGED_LISTS) || !reserveBlocks(size / BLOCK_RECORDS + CHANGED_LISTS)) return done;
    refineLeaf(list);
    done += size;
  }
  return max(done, frames);
}

function refineLeaf(list: u32): void {
  const entry = listAt(list);
  if (!findMean(entry)) return;
  const own = scratch(QUERY_A);
  queryOfRecord(scratch(RECORD_A), own);
  findNeighbours(list, own, REFINE_NEIGHBOURS);
  const heap = scratch(HEAP);
  const neighbours = load<u32>(heap);
  const stride = 2 * read(DIMENSIONS);
  const candidates = scratch(CANDIDATES);
  for (let at: u32 = 0; at < REFINE_NEIGHBOURS; at++) {
    // The last neighbour completes the group of four; without neighbours the centroid of the leaf does.
    const key = load<u64>(heap + HEAP_HEADER_BYTES + (min(at, max(neighbours, 1) - 1) << 3));
    const record = neighbours === 0 ? scratch(RECORD_A) : read(listAt(labelOf(key)) + LIST_SLOT);
    queryOfRecord(record, candidates + at * stride);
  }
  const moves = findMoves(entry, own, (neighbours + 3) & ~3);
  const old = read(entry + LIST_HEAD);
  const fresh = scratch(ENTRIES);
  if (moves > 0) copyWithoutMoves(entry, list, fresh, moves);
  const isEmptied = moves > 0 && read(fresh + LIST_SIZE) === 0 && read(LEAF_COUNT) > 1;
  begin();
  if (moves > 0) publish(list, fresh);
  for (let at: u32 = 0; at < moves; at++) {
    const move = scratch(MOVED) + (at << 3);
    append(listAt(read(move + 4)), read(move + 4), read(move));
  }
  if (isEmptied) {
    giveUp(list);
  } else {
    const top = read(entry + LIST_PARENT);
    removeCentroid(list);
    const nearest = nearestSuper(own);
    addCentroid(listAt(nearest), nearest, scratch(RECORD_A), list);
    deleteIfEmpty(top);
  }
  if (moves > 0) retire(old);
  end();
}

function findMean(entry: u32): bool {
  const bytes = read(RECORD_BYTES);
  const sums = scratch(SUMS_A);
  memory.fill(sums, 0, read(DIMENSIONS) << 2);
  let live: u32 = 0;
  let left = read(entry + LIST_SIZE);
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (!isLive(record, 0)) continue;
      accumulate(record, sums);
      live++;
    }
    left -= count;
  }
  // The length of the mean of unit vectors is their mean cosine with its direction.
  store<f32>(entry + LIST_MEAN_COSINE, meanLength(sums, live));
  return recordOfSums(sums, scratch(RECORD_A), 0);
}

/** Collects the frames that are nearer to a candidate than to the centroid of the leaf. */
function findMoves(entry: u32, own: u32, neighbours: u32): u32 {
  const bytes = read(RECORD_BYTES);
  const dimensions = read(TREE_DIMENSIONS);
  const stride = 2 * read(DIMENSIONS);
  const heap = scratch(HEAP);
  let moves: u32 = 0;
  let left = read(entry + LIST_SIZE);
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count && moves < MOVES; at++, record += bytes) {
      if (!isLive(record, 0)) continue;
      let best = dot1(record, own, 0, dimensions);
      let target: u32 = 0xffffffff;
      for (let group: u32 = 0; group < neighbours; group += 4) {
        const first = scratch(CANDIDATES) + group * stride;
        const sums = dot4(
          record,
          first,
          first + stride,
          first + 2 * stride,
          first + 3 * stride,
          0,
          dimensions,
        );
        if (!v128.any_true(i32x4.gt_s(sums, i32x4.splat(best)))) continue;
        for (let lane: u32 = 0; lane < 4; lane++) {
          const sum = laneOf(sums, lane);
          if (sum <= best) continue;
          best = sum;
          target = group + lane;
        }
      }
      if (target === 0xffffffff) continue;
      const known = min(target, load<u32>(heap) - 1);
      const move = scratch(MOVED) + (moves++ << 3);
      write(move, record);
      write(move + 4, labelOf(load<u64>(heap + HEAP_HEADER_BYTES + (known << 3))));
    }
    left -= count;
  }
  return moves;
}

function laneOf(sums: v128, lane: u32): i32 {
  if (lane === 0) return i32x4.extract_lane(sums, 0);
  if (lane === 1) return i32x4.extract_lane(sums, 1);
  return lane === 2 ? i32x4.extract_lane(sums, 2) : i32x4.extract_lane(sums, 3);
}

/** `moves` has the order of the list. */
function copyWithoutMoves(entry: u32, list: u32, fresh: u32, moves: u32): void {
  const bytes = read(RECORD_BYTES);
  clearList(fresh, 0);
  let next: u32 = 0;
  let left = read(entry + LIST_SIZE);
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (next < moves && read(scratch(MOVED) + (next << 3)) === record) {
        next++;
      } else if (isLive(record, 0)) {
        append(fresh, list, record);
      } else {
        write(RECORD_COUNT, read(RECORD_COUNT) - 1);
      }
    }
    left -= count;
  }
}

/** Copies a leaf without removed frames; an empty or very short leaf is deleted. */
export function purge(leaf: u32): void {
  const entry = listAt(leaf);
  if (read(entry + LIST_LEVEL) !== 0 || read(entry + LIST_SLOT) === 0) return;
  const bytes = read(RECORD_BYTES);
  const fresh = scratch(ENTRIES);
  clearList(fresh, 0);
  let dead: u32 = 0;
  let left = read(entry + LIST_SIZE);
  const size = left;
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (!isLive(record, 0)) dead++;
    }
    left -= count;
  }
  if (dead === 0) return;
  const live = size - dead;
  const old = read(entry + LIST_HEAD);
  const isDissolved = read(LEAF_COUNT) > 1 && live < leafLimit() / 8;
  if (isDissolved) {
    // The frames are appended to other leaves and removed from the tree in one change.
    begin();
    eachLive(entry, leaf, 0);
    giveUp(leaf);
  } else {
    eachLive(entry, leaf, fresh);
    begin();
    publish(leaf, fresh);
  }
  retire(old);
  write(RECORD_COUNT, read(RECORD_COUNT) - dead);
  end();
}

function eachLive(entry: u32, leaf: u32, fresh: u32): void {
  const bytes = read(RECORD_BYTES);
  let left = read(entry + LIST_SIZE);
  for (let block = read(entry + LIST_HEAD); left > 0; block = read(block)) {
    const count = min(left, BLOCK_RECORDS);
    for (let at: u32 = 0, record = firstRecord(block); at < count; at++, record += bytes) {
      if (!isLive(record, 0)) continue;
      if (fresh !== 0) {
        append(fresh, leaf, record);
        continue;
      }
      const query = scratch(QUERY_X);
      queryOfRecord(record, query);
      const target = nearestLeaf(query, leaf);
      append(listAt(target), target, record);
    }
    left -= count;
  }
}

function giveUp(leaf: u32): void {
  const top = read(listAt(leaf) + LIST_PARENT);
  removeCentroid(leaf);
  deleteList(leaf);
  write(LEAF_COUNT, read(LEAF_COUNT) - 1);
  deleteIfEmpty(top);
}
