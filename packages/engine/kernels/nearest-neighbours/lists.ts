// Lists are chains of blocks. The chain of a leaf grows only at its end. A list that is divided or purged is
// copied and published as a whole. Its old chain is freed when no reader can hold it (epoch-based
// reclamation, Fraser 2004). A reader that copies heads and sizes at one generation therefore reads each
// frame exactly once.

import {
  allocatePages,
  BLOCK_BYTES,
  BLOCK_COUNT,
  BLOCK_HEADER_BYTES,
  BLOCK_RECORDS,
  EPOCH,
  FREE_BLOCK,
  FREE_BLOCK_COUNT,
  FREE_LIST,
  LIST_BYTES,
  LIST_CHUNK_BITS,
  LIST_CHUNKS,
  LIST_DIRECTORY,
  LIST_END,
  LIST_HEAD,
  LIST_LEAST_SPLIT,
  LIST_LEVEL,
  LIST_PARENT,
  LIST_SIZE,
  LIST_SLOT,
  LIST_TAIL,
  listAt,
  PAGE_BYTES,
  READER_BYTES,
  READER_COUNT,
  READERS,
  RECORD_BYTES,
  RETIRED,
  RETIRED_CAPACITY,
  RETIRED_END,
  RETIRED_FIRST,
  read,
  setSlot,
  slotOf,
  write,
} from "./layout";
import { labelAt } from "./vectors";

const CARVED_PAGES: u32 = 16;

/** Ensures that `count` blocks are free; returns false when the memory is full. */
export function reserveBlocks(count: u32): bool {
  if (read(FREE_BLOCK_COUNT) < count) reclaim();
  while (read(FREE_BLOCK_COUNT) < count) {
    const pages = allocatePages(CARVED_PAGES);
    if (pages === 0) return false;
    const bytes = read(BLOCK_BYTES);
    const perPage = PAGE_BYTES / bytes;
    for (let page: i32 = CARVED_PAGES - 1; page >= 0; page--) {
      for (let block: i32 = perPage - 1; block >= 0; block--)
        freeBlock(pages + page * PAGE_BYTES + block * bytes);
    }
    write(BLOCK_COUNT, read(BLOCK_COUNT) + CARVED_PAGES * perPage);
  }
  return true;
}

function freeBlock(block: u32): void {
  write(block, read(FREE_BLOCK));
  write(FREE_BLOCK, block);
  write(FREE_BLOCK_COUNT, read(FREE_BLOCK_COUNT) + 1);
}

function takeBlock(list: u32): u32 {
  if (read(FREE_BLOCK) === 0 && !reserveBlocks(1)) unreachable();
  const block = read(FREE_BLOCK);
  write(FREE_BLOCK, read(block));
  write(FREE_BLOCK_COUNT, read(FREE_BLOCK_COUNT) - 1);
  write(block, 0);
  write(block + 4, list);
  return block;
}

/** Returns the list whose chain contains a record. */
export function listOfRecord(record: u32): u32 {
  const page = record & ~(PAGE_BYTES - 1);
  const bytes = read(BLOCK_BYTES);
  return read(page + ((record - page) / bytes) * bytes + 4);
}

export function firstRecord(block: u32): u32 {
  return block + BLOCK_HEADER_BYTES;
}

/** Creates an empty list; returns 0 when the table is full. */
export function createList(level: u32): u32 {
  let list = read(FREE_LIST);
  if (list !== 0) {
    write(FREE_LIST, read(listAt(list) + LIST_HEAD));
  } else {
    list = read(LIST_END);
    const chunk = list >> LIST_CHUNK_BITS;
    if (chunk >= LIST_CHUNKS) unreachable();
    const at = LIST_DIRECTORY + (chunk << 2);
    if (read(at) === 0) {
      const pages = allocatePages((LIST_BYTES << LIST_CHUNK_BITS) / PAGE_BYTES + 1);
      if (pages === 0) unreachable();
      // Two chunks of 32 KiB.
      write(at, pages);
      write(at + 4, pages + (LIST_BYTES << LIST_CHUNK_BITS));
    }
    write(LIST_END, list + 1);
  }
  clearList(listAt(list), level);
  return list;
}

export function clearList(entry: u32, level: u32): void {
  memory.fill(entry, 0, LIST_BYTES);
  write(entry + LIST_LEVEL, level);
}

export function deleteList(list: u32): void {
  const entry = listAt(list);
  clearList(entry, 0);
  write(entry + LIST_HEAD, read(FREE_LIST));
  write(FREE_LIST, list);
}

/** Copies a record to the end of a chain and updates the address of its label or its list. */
export function append(entry: u32, list: u32, source: u32): u32 {
  const size = read(entry + LIST_SIZE);
  const at = size % BLOCK_RECORDS;
  if (at === 0) {
    const block = takeBlock(list);
    if (size === 0) write(entry + LIST_HEAD, block);
    else write(read(entry + LIST_TAIL), block);
    write(entry + LIST_TAIL, block);
  }
  const record = firstRecord(read(entry + LIST_TAIL)) + at * read(RECORD_BYTES);
  memory.copy(record, source, read(RECORD_BYTES));
  const label = labelAt(record);
  if (read(entry + LIST_LEVEL) === 0) {
    setSlot(label, record);
  } else {
    const child = listAt(label);
    write(child + LIST_SLOT, record);
    write(child + LIST_PARENT, list);
  }
  atomic.store<u32>(entry + LIST_SIZE, size + 1);
  return record;
}

/** Removes the centroid of a list from its parent list. The last record of the parent fills the gap. */
export function removeCentroid(list: u32): void {
  const child = listAt(list);
  const parent = read(child + LIST_PARENT);
  const entry = listAt(parent);
  const hole = read(child + LIST_SLOT);
  const size = read(entry + LIST_SIZE) - 1;
  const bytes = read(RECORD_BYTES);
  const last = firstRecord(read(entry + LIST_TAIL)) + (size % BLOCK_RECORDS) * bytes;
  if (last !== hole) {
    memory.copy(hole, last, bytes);
    write(listAt(labelAt(hole)) + LIST_SLOT, hole);
  }
  write(entry + LIST_SIZE, size);
  if (size % BLOCK_RECORDS === 0) {
    let before: u32 = 0;
    for (let block = read(entry + LIST_HEAD); block !== read(entry + LIST_TAIL); block = read(block))
      before = block;
    retire(read(entry + LIST_TAIL));
    write(entry + LIST_TAIL, before);
    if (before === 0) write(entry + LIST_HEAD, 0);
    else write(before, 0);
  }
}

/** True when the label or the list of a record refers to it: the record is not removed. */
export function isLive(record: u32, level: u32): bool {
  const label = labelAt(record);
  return (level === 0 ? slotOf(label) : read(listAt(label) + LIST_SLOT)) === record;
}

/** Queues an unused chain, which is freed when no reader can read it. */
export function retire(head: u32): void {
  if (head === 0) return;
  const end = read(RETIRED_END);
  // The caller checks `canRetire` before each change.
  if (end - read(RETIRED_FIRST) >= RETIRED_CAPACITY) unreachable();
  const at = RETIRED + ((end % RETIRED_CAPACITY) << 3);
  write(at, head);
  write(at + 4, atomic.add<u32>(EPOCH, 1));
  write(RETIRED_END, end + 1);
}

/** False while readers prevent nearly all entries of the ring from being freed. */
export function canRetire(count: u32): bool {
  if (read(RETIRED_END) - read(RETIRED_FIRST) + count > RETIRED_CAPACITY) reclaim();
  return read(RETIRED_END) - read(RETIRED_FIRST) + count <= RETIRED_CAPACITY;
}

function reclaim(): void {
  let oldest: u32 = 0xffffffff;
  for (let reader: u32 = 0; reader < READER_COUNT; reader++) {
    const epoch = atomic.load<u32>(READERS + reader * READER_BYTES);
    if (epoch !== 0) oldest = min(oldest, epoch);
  }
  while (read(RETIRED_FIRST) !== read(RETIRED_END)) {
    const at = RETIRED + ((read(RETIRED_FIRST) % RETIRED_CAPACITY) << 3);
    if (read(at + 4) >= oldest) return;
    for (let block = read(at); block !== 0; ) {
      const next = read(block);
      freeBlock(block);
      block = next;
    }
    write(RETIRED_FIRST, read(RETIRED_FIRST) + 1);
  }
}

/** Begins a read: the lists that are visible now are not freed before `leave`. */
export function enter(reader: u32): void {
  const at = READERS + reader * READER_BYTES;
  while (true) {
    const epoch = atomic.load<u32>(EPOCH);
    atomic.store<u32>(at, epoch);
    if (atomic.load<u32>(EPOCH) === epoch) return;
  }
}

export function leave(reader: u32): void {
  atomic.store<u32>(READERS + reader * READER_BYTES, 0);
}

/** Delays the next division of a list whose frames are all alike until the list doubled. */
export function postponeSplit(entry: u32): void {
  write(entry + LIST_LEAST_SPLIT, 2 * read(entry + LIST_SIZE));
}
