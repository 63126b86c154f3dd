// The exported functions of the vector index. `npm run build:kernels` compiles them.

import {
  AXES,
  allocatePages,
  BLOCK_BYTES,
  BLOCK_COUNT,
  BLOCK_HEADER_BYTES,
  BLOCK_RECORDS,
  DIMENSIONS,
  EPOCH,
  FORMAT,
  FORMAT_AT,
  LEAF_COUNT,
  LIST_END,
  PAGE_BYTES,
  PREFIX,
  RANDOM_STATE,
  READER_AREAS,
  READER_BYTES,
  READER_COUNT,
  READERS,
  RECORD_BYTES,
  RECORD_COUNT,
  read,
  setSlot,
  setVisible,
  slotOf,
  TREE_DIMENSIONS,
  WRITER_SCRATCH,
  write,
} from "./layout";
import { canRetire, createList, enter, leave, listOfRecord, reserveBlocks } from "./lists";
import { CHANGED_LISTS, insert, leafLimit, WRITER_INPUT, WRITER_SCRATCH_BYTES } from "./tree";
import { factorOf, QUERY_SCALE, rotateBack } from "./vectors";

export { reserveLabels } from "./layout";
export {
  begin,
  compareRange,
  finish,
  prepare,
  resultsOf,
  scannedRecords,
  search,
  searchBytes,
} from "./search";
export { purge, refine } from "./tree";

/**
 * Prepares an empty memory for vectors of `dimensions` components, a multiple of 16. Returns false without
 * memory.
 */
export function create(dimensions: u32, hasAxes: bool): bool {
  const scratch = allocatePages((WRITER_SCRATCH_BYTES + PAGE_BYTES - 1) / PAGE_BYTES);
  if (scratch === 0) return false;
  write(FORMAT_AT, FORMAT);
  write(DIMENSIONS, dimensions);
  write(RECORD_BYTES, dimensions + 12);
  write(BLOCK_BYTES, (BLOCK_HEADER_BYTES + BLOCK_RECORDS * (dimensions + 12) + 15) & ~15);
  write(WRITER_SCRATCH, scratch);
  const prefix = (dimensions / 2 + 15) & ~15;
  write(PREFIX, prefix);
  write(TREE_DIMENSIONS, hasAxes ? prefix : dimensions);
  if (hasAxes) {
    const axes = allocatePages((dimensions * dimensions * 4 + PAGE_BYTES - 1) / PAGE_BYTES);
    if (axes === 0) return false;
    write(AXES, axes);
  }
  write(EPOCH, 1);
  write(RANDOM_STATE, 0x9e3779b9);
  createList(2);
  return true;
}

/** Returns 0 when a change may begin, 1 when the memory is full, 2 when readers still use replaced lists. */
export function reserve(): u32 {
  if (!canRetire(CHANGED_LISTS)) return 2;
  return reserveBlocks(CHANGED_LISTS * (leafLimit() / BLOCK_RECORDS + 2)) ? 0 : 1;
}

/**
 * Inserts consecutive int8 vectors under consecutive labels; searches do not return them before `show`.
 * Returns the number of inserted vectors, which is smaller than `count` when `reserve` does not return 0.
 */
export function insertAll(codes: u32, label: u32, count: u32): u32 {
  for (let at: u32 = 0; at < count; at++) {
    if (reserve() !== 0) return at;
    insert(codes + at * read(DIMENSIONS), label + at);
  }
  return count;
}

/** Makes the labels from `first` up to `end` visible to searches. */
export function show(first: u32, end: u32): void {
  for (let label = first; label < end; label++) setVisible(label, true);
}

/**
 * Hides the labels from `first` up to `end`. Writes the leaf of each label to `leaves`, 0 for a label that is
 * not stored.
 */
export function hide(first: u32, end: u32, leaves: u32): void {
  for (let label = first; label < end; label++) {
    const record = slotOf(label);
    const to = leaves + ((label - first) << 2);
    store<u32>(to, 0);
    if (record === 0) continue;
    setVisible(label, false);
    store<u32>(to, listOfRecord(record));
    setSlot(label, 0);
  }
}

/**
 * Writes the unit vector of a label to `to` as floats; returns false when the label is not stored. `between`
 * is a buffer for as many floats.
 */
export function copyVector(reader: u32, label: u32, between: u32, to: u32): bool {
  enter(reader);
  const record = slotOf(label);
  if (record !== 0) {
    const factor = factorOf(record) * QUERY_SCALE;
    for (let at: u32 = 0; at < read(DIMENSIONS); at++) {
      store<f32>(between + (at << 2), <f32>load<i8>(record + at) * factor);
    }
  }
  leave(reader);
  if (record !== 0) rotateBack(between, to);
  return record !== 0;
}

/** Returns the address of the axes, a row of floats each; 0 without axes. */
export function axes(): u32 {
  return read(AXES);
}

/** Returns the address of the input buffer of `insertAll` and `hide`, 64 KiB. */
export function writerInput(): u32 {
  return read(WRITER_SCRATCH) + WRITER_INPUT;
}

/**
 * Returns memory of a reader, which the next reader with the same number uses again. Area 0 serves searches,
 * area 1 filters. A larger area replaces a smaller one, whose memory is not freed. Returns 0 when the memory
 * is full.
 */
export function readerArea(reader: u32, area: u32, bytes: u32): u32 {
  const at = READERS + reader * READER_BYTES + READER_AREAS + (area << 3);
  if (read(at + 4) >= bytes) return read(at);
  const pages = (max(bytes, 2 * read(at + 4)) + PAGE_BYTES - 1) / PAGE_BYTES;
  const address = allocatePages(pages);
  if (address === 0) return 0;
  write(at, address);
  write(at + 4, pages * PAGE_BYTES);
  return address;
}

/** Releases the lists that a reader holds whose thread ended during a search. */
export function release(reader: u32): void {
  leave(reader);
}

/** Releases the lists of all readers. A loaded snapshot contains readers of ended threads. */
export function releaseAll(): void {
  for (let reader: u32 = 0; reader < READER_COUNT; reader++) leave(reader);
}

export function dimensions(): u32 {
  return read(DIMENSIONS);
}

export function format(): u32 {
  return read(FORMAT_AT);
}

export function recordCount(): u32 {
  return read(RECORD_COUNT);
}

export function leafCount(): u32 {
  return read(LEAF_COUNT);
}

export function listEnd(): u32 {
  return read(LIST_END);
}

export function blockCount(): u32 {
  return read(BLOCK_COUNT);
}
