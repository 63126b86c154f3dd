// Addresses in the shared memory. All threads map the same memory. A snapshot is an image of it, so every
// change of this file needs a new FORMAT. Numbers are little-endian on every platform (WebAssembly).

export const FORMAT: u32 = 1;
export const PAGE_BYTES: u32 = 65536;

/** Records per block. Half a block per list is unused on average: 2 % of the memory at 10 million frames. */
export const BLOCK_RECORDS: u32 = 32;
/** A block starts with the address of the next block and the number of its list. */
export const BLOCK_HEADER_BYTES: u32 = 16;

// Page 0.
export const FORMAT_AT: u32 = 0;
/** Odd while lists are being replaced. */
export const GENERATION: u32 = 4;
/** Increases with every replaced list. A reader publishes the epoch at which it began. */
export const EPOCH: u32 = 8;
export const DIMENSIONS: u32 = 12;
export const RECORD_BYTES: u32 = 16;
export const BLOCK_BYTES: u32 = 20;
export const FREE_BLOCK: u32 = 24;
export const FREE_BLOCK_COUNT: u32 = 28;
export const LIST_END: u32 = 32;
export const FREE_LIST: u32 = 36;
export const LEAF_COUNT: u32 = 40;
export const RECORD_COUNT: u32 = 44;
export const RETIRED_FIRST: u32 = 48;
export const RETIRED_END: u32 = 52;
export const RANDOM_STATE: u32 = 56;
export const SUPER_COUNT: u32 = 60;
export const WRITER_SCRATCH: u32 = 64;
export const BLOCK_COUNT: u32 = 68;
export const REFINE_NEXT: u32 = 72;
/** Address of the axes, a row of floats per axis; 0 when vectors are stored without rotation. */
export const AXES: u32 = 76;
/** Dimensions that are compared first. The others are compared where these do not decide the result. */
export const PREFIX: u32 = 80;
/** Dimensions by which frames are assigned to leaves. */
export const TREE_DIMENSIONS: u32 = 84;

/**
 * One cache line per reader: the epoch at which it began (0: idle), then its scratch memory and its filter.
 */
export const READERS: u32 = 1024;
export const READER_COUNT: u32 = 64;
export const READER_BYTES: u32 = 64;
export const READER_AREAS: u32 = 8;

/** Addresses of the chunks of the list table. */
export const LIST_DIRECTORY: u32 = 8192;
export const LIST_CHUNK_BITS: u32 = 10;
export const LIST_CHUNKS: u32 = 1024;

/** Addresses of the label chunks: a record address per label, then a visibility bit per label. */
export const LABEL_DIRECTORY: u32 = 16384;
export const LABEL_CHUNK_BITS: u32 = 14;
export const LABEL_CHUNKS: u32 = 8192;

/** Ring of replaced chains, each with the epoch of its replacement. */
export const RETIRED: u32 = 49152;
export const RETIRED_CAPACITY: u32 = 2048;

// An entry of the list table.
export const LIST_BYTES: u32 = 32;
export const LIST_HEAD: u32 = 0;
export const LIST_TAIL: u32 = 4;
export const LIST_SIZE: u32 = 8;
/** 0: frames (a leaf); 1: centroids of leaves; 2: centroids of lists of level 1 (the root, list 0). */
export const LIST_LEVEL: u32 = 12;
/** Address of the record of the centroid, and the list that contains it. */
export const LIST_SLOT: u32 = 16;
export const LIST_PARENT: u32 = 20;
/** A list that could not be divided is not divided below this size. */
export const LIST_LEAST_SPLIT: u32 = 24;
/** Mean cosine of the frames of a leaf with its centroid, float. */
export const LIST_MEAN_COSINE: u32 = 28;

export function read(address: u32): u32 {
  return load<u32>(address);
}

export function write(address: u32, value: u32): void {
  store<u32>(address, value);
}

/** Allocates whole pages of new memory; returns 0 without memory. All threads may call it. */
export function allocatePages(pages: u32): u32 {
  const before = memory.grow(pages);
  return before < 0 ? 0 : <u32>before * PAGE_BYTES;
}

export function listAt(list: u32): u32 {
  const chunk = read(LIST_DIRECTORY + ((list >> LIST_CHUNK_BITS) << 2));
  return chunk + (list & ((1 << LIST_CHUNK_BITS) - 1)) * LIST_BYTES;
}

function labelChunk(label: u32): u32 {
  return read(LABEL_DIRECTORY + ((label >> LABEL_CHUNK_BITS) << 2));
}

/** Reserves memory for the labels below `end`; returns false when the memory is full. */
export function reserveLabels(end: u32): bool {
  const chunks = (end + (1 << LABEL_CHUNK_BITS) - 1) >> LABEL_CHUNK_BITS;
  if (chunks > LABEL_CHUNKS) return false;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    const at = LABEL_DIRECTORY + (chunk << 2);
    if (read(at) !== 0) continue;
    // 64 KiB of addresses and 2 KiB of bits: 31 chunks share 32 pages.
    const memory = allocatePages(32);
    if (memory === 0) return false;
    for (let part: u32 = 0; part < 31 && chunk + part < LABEL_CHUNKS; part++) {
      write(at + (part << 2), memory + part * (PAGE_BYTES + 2048));
    }
  }
  return true;
}

export function slotOf(label: u32): u32 {
  const chunk = labelChunk(label);
  return chunk === 0 ? 0 : read(chunk + ((label & ((1 << LABEL_CHUNK_BITS) - 1)) << 2));
}

export function setSlot(label: u32, record: u32): void {
  write(labelChunk(label) + ((label & ((1 << LABEL_CHUNK_BITS) - 1)) << 2), record);
}

export function isVisible(label: u32): bool {
  const within = label & ((1 << LABEL_CHUNK_BITS) - 1);
  return ((load<u8>(labelChunk(label) + PAGE_BYTES + (within >> 3)) >> (within & 7)) & 1) !== 0;
}

export function setVisible(label: u32, visible: bool): void {
  const within = label & ((1 << LABEL_CHUNK_BITS) - 1);
  const at = labelChunk(label) + PAGE_BYTES + (within >> 3);
  const bit = (<u8>1) << (<u8>(within & 7));
  store<u8>(at, visible ? load<u8>(at) | bit : load<u8>(at) & ~bit);
}
