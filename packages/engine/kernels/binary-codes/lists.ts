// Lists of codes around centroids (inverted file: Sivic and Zisserman 2003). The signs of codes stand for their
// vectors: no vector is read from disk. A list that becomes too long is divided by 2-means.

import {
  allocate,
  CODE,
  codeBytes,
  entryCount,
  freeBlock,
  LIST_CHUNKS,
  LIST_DISTANCES,
  LISTS_PER_CHUNK,
  listCount,
  MOST_LISTS,
  OTHER_VECTOR,
  SIGNS,
  SUMS,
  setEntryCount,
  setFreeBlock,
  setListCount,
  TABLES,
} from "./layout";
import { stateOf } from "./states";

/** A block of a list: the address of the next one, the number of its codes, codes, then their labels. */
export const BLOCK_ENTRIES: u32 = 64;
export const BLOCK_HEADER: u32 = 16;

/** A list is divided when it is longer than LEAST_LENGTH and LENGTH_FACTOR times the root of all codes. */
const LEAST_LENGTH: u32 = 128;
const LENGTH_FACTOR: f64 = 0.5;
const ROUNDS: i32 = 4;
/** Centroids whose signs are at most this much farther than the nearest ones are compared by their components. */
const SIGN_MARGIN: u32 = 10;
const NOT_STORED: u8 = 0;

export function dimensions(): u32 {
  return codeBytes() << 3;
}

function chunkOf(list: u32): u32 {
  return load<u32>(LIST_CHUNKS + ((list / LISTS_PER_CHUNK) << 2));
}

/** The signs of a centroid. */
function signsAt(list: u32): u32 {
  return chunkOf(list) + (list % LISTS_PER_CHUNK) * codeBytes();
}

/** The components of a centroid, a unit vector of floats. */
export function centroidAt(list: u32): u32 {
  const bytes = codeBytes();
  return chunkOf(list) + LISTS_PER_CHUNK * bytes + (((list % LISTS_PER_CHUNK) * bytes) << 5);
}

/** The address of the first block and the length of a list. */
function headAt(list: u32): u32 {
  return chunkOf(list) + LISTS_PER_CHUNK * codeBytes() * 33 + ((list % LISTS_PER_CHUNK) << 3);
}

export function firstBlock(list: u32): u32 {
  return load<u32>(headAt(list));
}

export function lengthOf(list: u32): u32 {
  return load<u32>(headAt(list), 4);
}

export function labelsOfBlock(block: u32): u32 {
  return block + BLOCK_HEADER + BLOCK_ENTRIES * codeBytes();
}

function createList(): u32 {
  const list = listCount();
  if (list % LISTS_PER_CHUNK === 0)
    store<u32>(
      LIST_CHUNKS + ((list / LISTS_PER_CHUNK) << 2),
      allocate(LISTS_PER_CHUNK * (codeBytes() * 33 + 8)),
    );
  setListCount(list + 1);
  return list;
}

/** Stores the code at CODE in the list of its nearest centroid. */
export function insert(label: u32): void {
  if (listCount() === 0) {
    const list = createList();
    expandSigns(CODE, OTHER_VECTOR);
    setCentroid(list, OTHER_VECTOR);
  }
  const list = findNearestList(CODE);
  append(list, label, CODE);
  setEntryCount(entryCount() + 1);
  const length = lengthOf(list);
  // A list of equal codes is not divided at each addition.
  if (length % BLOCK_ENTRIES === 0 && isTooLong(length) && listCount() < MOST_LISTS) divide(list);
}

function isTooLong(length: u32): bool {
  return length > LEAST_LENGTH && <f64>length > LENGTH_FACTOR * sqrt(<f64>entryCount());
}

function append(list: u32, label: u32, code: u32): void {
  const bytes = codeBytes();
  const head = headAt(list);
  let block = load<u32>(head);
  if (block === 0 || load<u32>(block, 4) === BLOCK_ENTRIES) {
    const next = block;
    block = freeBlock();
    if (block === 0) block = allocate(BLOCK_HEADER + BLOCK_ENTRIES * (bytes + 4));
    else setFreeBlock(load<u32>(block));
    store<u32>(block, next);
    store<u32>(block, 0, 4);
    store<u32>(head, block);
  }
  const at = load<u32>(block, 4);
  memory.copy(block + BLOCK_HEADER + at * bytes, code, bytes);
  store<u32>(labelsOfBlock(block) + (at << 2), label);
  store<u32>(block, at + 1, 4);
  store<u32>(head, load<u32>(head, 4) + 1, 4);
}

function release(block: u32): void {
  store<u32>(block, freeBlock());
  setFreeBlock(block);
}

/** Empties a list and returns its first block. */
function detach(list: u32): u32 {
  const block = firstBlock(list);
  store<u64>(headAt(list), 0);
  return block;
}

/** Removes the codes of a list whose labels are not stored. */
export function sweep(list: u32): void {
  const before = lengthOf(list);
  const bytes = codeBytes();
  for (let block = detach(list); block !== 0; ) {
    const count = load<u32>(block, 4);
    for (let at: u32 = 0; at < count; at++) {
      const label = load<u32>(labelsOfBlock(block) + (at << 2));
      if (stateOf(label) !== NOT_STORED) append(list, label, block + BLOCK_HEADER + at * bytes);
    }
    const next = load<u32>(block);
    release(block);
    block = next;
  }
  setEntryCount(entryCount() - (before - lengthOf(list)));
}

/**
 * Moves the centroid of a list to the mean of its codes, and the codes to the lists of their nearest centroids (a
 * step of Lloyd's algorithm).
 */
export function refine(list: u32): void {
  const bytes = codeBytes();
  memory.fill(SUMS, 0, dimensions() << 2);
  for (let block = firstBlock(list); block !== 0; block = load<u32>(block)) {
    const count = load<u32>(block, 4);
    for (let at: u32 = 0; at < count; at++) addSigns(block + BLOCK_HEADER + at * bytes, SUMS);
  }
  if (lengthOf(list) > 0) setCentroid(list, SUMS);
  for (let block = detach(list); block !== 0; ) {
    const count = load<u32>(block, 4);
    for (let at: u32 = 0; at < count; at++) {
      const code = block + BLOCK_HEADER + at * bytes;
      append(findNearestList(code), load<u32>(labelsOfBlock(block) + (at << 2)), code);
    }
    const next = load<u32>(block);
    release(block);
    block = next;
  }
}

/** Divides a list in two by 2-means of its signs. */
function divide(list: u32): void {
  const bytes = codeBytes();
  const size = dimensions() << 2;
  // The second seed is far from the first code, the first one far from the second.
  const first = findFarthest(list, firstBlock(list) + BLOCK_HEADER);
  const second = findFarthest(list, first);
  expandSigns(first, SUMS);
  expandSigns(second, SUMS + size);
  for (let round = 0; round < ROUNDS; round++) {
    prepareSides(size);
    memory.fill(SUMS, 0, size << 1);
    for (let block = firstBlock(list); block !== 0; block = load<u32>(block)) {
      const count = load<u32>(block, 4);
      for (let at: u32 = 0; at < count; at++) {
        const code = block + BLOCK_HEADER + at * bytes;
        addSigns(code, SUMS + (isSecond(code, at) ? size : 0));
      }
    }
  }
  prepareSides(size);
  const other = createList();
  for (let block = detach(list); block !== 0; ) {
    const count = load<u32>(block, 4);
    for (let at: u32 = 0; at < count; at++) {
      const code = block + BLOCK_HEADER + at * bytes;
      append(isSecond(code, at) ? other : list, load<u32>(labelsOfBlock(block) + (at << 2)), code);
    }
    const next = load<u32>(block);
    release(block);
    block = next;
  }
  setCentroid(list, SUMS);
  setCentroid(other, SUMS + size);
}

/** Prepares `isSecond` for the directions of both sums. */
function prepareSides(size: u32): void {
  normalise(SUMS, size);
  normalise(SUMS + size, size);
  for (let at: u32 = 0; at < size; at += 4)
    store<f32>(OTHER_VECTOR + at, load<f32>(SUMS + size + at) - load<f32>(SUMS + at));
  fillTables(OTHER_VECTOR);
}

/** True when a code is nearer to the second centroid. Codes as near to both alternate. */
function isSecond(code: u32, at: u32): bool {
  const score = scoreOf(code);
  return score > 0 || (score === 0 && (at & 1) === 1);
}

function findFarthest(list: u32, from: u32): u32 {
  const bytes = codeBytes();
  let farthest = from;
  let most = 0;
  for (let block = firstBlock(list); block !== 0; block = load<u32>(block)) {
    const count = load<u32>(block, 4);
    for (let at: u32 = 0; at < count; at++) {
      const code = block + BLOCK_HEADER + at * bytes;
      const distance = <i32>distanceOf(code, from, bytes);
      if (distance > most) {
        most = distance;
        farthest = code;
      }
    }
  }
  return farthest;
}

export function distanceOf(a: u32, b: u32, bytes: u32): u32 {
  if (bytes === 16)
    return <u32>(popcnt(load<u64>(a) ^ load<u64>(b)) + popcnt(load<u64>(a, 8) ^ load<u64>(b, 8)));
  let distance: u64 = 0;
  for (let at: u32 = 0; at < bytes; at += 8) distance += popcnt(load<u64>(a + at) ^ load<u64>(b + at));
  return <u32>distance;
}

/** Writes 1 or -1 for each bit of a code. */
function expandSigns(code: u32, to: u32): void {
  memory.fill(to, 0, dimensions() << 2);
  addSigns(code, to);
}

function addSigns(code: u32, to: u32): void {
  const end = code + codeBytes();
  for (; code < end; code++, to += 32) {
    const byte = <u32>load<u8>(code);
    const low = v128.load(SIGNS + ((byte & 15) << 4));
    const high = v128.load(SIGNS + ((byte >> 4) << 4));
    v128.store(to, f32x4.add(v128.load(to), low));
    v128.store(to, f32x4.add(v128.load(to, 16), high), 16);
  }
}

function normalise(vector: u32, size: u32): void {
  const power = dot(vector, vector, size);
  if (power === 0) return;
  const factor: f32 = 1 / sqrt(power);
  for (let at: u32 = 0; at < size; at += 4) store<f32>(vector + at, load<f32>(vector + at) * factor);
}

function setCentroid(list: u32, vector: u32): void {
  const count = dimensions();
  const to = centroidAt(list);
  memory.copy(to, vector, count << 2);
  normalise(to, count << 2);
  const signs = signsAt(list);
  memory.fill(signs, 0, codeBytes());
  for (let at: u32 = 0; at < count; at++) {
    if (load<f32>(to + (at << 2)) <= 0) continue;
    const byte = signs + (at >> 3);
    store<u8>(byte, load<u8>(byte) | <u8>((<u32>1) << (at & 7)));
  }
}

/** Returns the product of two vectors of floats of `size` bytes. */
export function dot(a: u32, b: u32, size: u32): f32 {
  let one = f32x4.splat(0);
  let other = f32x4.splat(0);
  for (let at: u32 = 0; at < size; at += 32) {
    one = f32x4.add(one, f32x4.mul(v128.load(a + at), v128.load(b + at)));
    other = f32x4.add(other, f32x4.mul(v128.load(a + at, 16), v128.load(b + at, 16)));
  }
  const sum = f32x4.add(one, other);
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}

/** Compares the signs of all centroids, and the components of those with the nearest signs. */
function findNearestList(code: u32): u32 {
  const bytes = codeBytes();
  const lists = listCount();
  let least: u32 = u32.MAX_VALUE;
  for (let list: u32 = 0; list < lists; ) {
    const end = min(lists, list + LISTS_PER_CHUNK);
    for (let signs = signsAt(list); list < end; list++, signs += bytes) {
      const distance = distanceOf(signs, code, bytes);
      store<u16>(LIST_DISTANCES + (list << 1), <u16>distance);
      least = min(least, distance);
    }
  }
  expandSigns(code, OTHER_VECTOR);
  let nearest: u32 = 0;
  let most: f32 = -Infinity;
  for (let list: u32 = 0; list < lists; list++) {
    if (<u32>load<u16>(LIST_DISTANCES + (list << 1)) > least + SIGN_MARGIN) continue;
    const product = dot(centroidAt(list), OTHER_VECTOR, bytes << 5);
    if (product > most) {
      most = product;
      nearest = list;
    }
  }
  return nearest;
}

/**
 * Fills, for each byte of a code and each of its values, the sum of a vector's components with the signs of its
 * bits.
 */
export function fillTables(vector: u32): void {
  const bytes = codeBytes();
  for (let byte: u32 = 0; byte < bytes; byte++, vector += 32) {
    const table = TABLES + (byte << 10);
    let sum: f32 = 0;
    for (let bit: u32 = 0; bit < 8; bit++) sum -= load<f32>(vector + (bit << 2));
    store<f32>(table, sum);
    // Each value has the sum of the value without its highest bit, plus twice the component of that bit.
    for (let bit: u32 = 0; bit < 8; bit++) {
      const twice: f32 = 2 * load<f32>(vector + (bit << 2));
      for (let rest: u32 = 0; rest < (<u32>1) << bit; rest++)
        store<f32>(table + ((((<u32>1) << bit) + rest) << 2), load<f32>(table + (rest << 2)) + twice);
    }
  }
}

/** Returns the product of a code's signs and the vector of `fillTables`. */
export function scoreOf(code: u32): f32 {
  const bytes = codeBytes();
  let score: f64 = 0;
  let table = TABLES;
  for (let at: u32 = 0; at < bytes; at += 4, table += 4096) {
    const word = load<u32>(code + at);
    score +=
      <f64>load<f32>(table + ((word & 255) << 2)) +
      <f64>load<f32>(table + (((word >> 8) & 255) << 2), 1024) +
      <f64>load<f32>(table + (((word >> 16) & 255) << 2), 2048) +
      <f64>load<f32>(table + ((word >> 24) << 2), 3072);
  }
  return <f32>score;
}
