// The memory of the kernel: the state of the index, the query, the list of the nearest codes, then blocks that
// the kernel allocates. It has no other state, so that an image of the memory is a copy of the index.

const STATE: u32 = 64;
/** The signs of four bits as floats, for each of their values. */
export const SIGNS: u32 = 256;
/** Where the caller writes the code of a query or of an entry. */
export const CODE: u32 = 1024;
/** Numbers of listed codes by their distance. */
export const HISTOGRAM: u32 = 2048;
export const MOST_DISTANCE: i32 = 1024;
/** Labels of the nearest codes, their distances, and the addresses of the codes. */
export const LABELS: u32 = 8192;
export const DISTANCES: u32 = 40960;
export const CAPACITY: u32 = 8192;
/** Scores of the listed labels in the place of their distances, and the numbers of scores by their step. */
export const SCORES: u32 = 40960;
export const STEPS: u32 = 73728;
export const SCORE_STEPS: u32 = 512;
export const ADDRESSES: u32 = 75776;
/** The components of a query, at most 1024; those of an entry or of a difference; the sums of two groups. */
export const VECTOR: u32 = 108544;
export const OTHER_VECTOR: u32 = 112640;
export const SUMS: u32 = 116736;
/** Sums of a vector's components for each byte of a code and each of its values. */
export const TABLES: u32 = 124928;
/** Scores of the lists in a search, or their distances from an entry. */
export const LIST_SCORES: u32 = 256000;
export const LIST_DISTANCES: u32 = 256000;
export const MOST_LISTS: u32 = 32768;
/** Addresses of the blocks of list records and of the states of labels. */
export const LIST_CHUNKS: u32 = 387072;
export const LISTS_PER_CHUNK: u32 = 64;
export const STATE_CHUNKS: u32 = 389120;
export const LABELS_PER_CHUNK: u32 = 65536;
const FIRST: u32 = 405504;

/** Bytes of a code, a multiple of 8. */
export function codeBytes(): u32 {
  return load<u32>(STATE);
}

export function listCount(): u32 {
  return load<u32>(STATE, 4);
}

export function setListCount(count: u32): void {
  store<u32>(STATE, count, 4);
}

/** Stored codes. */
export function entryCount(): u32 {
  return load<u32>(STATE, 8);
}

export function setEntryCount(count: u32): void {
  store<u32>(STATE, count, 8);
}

export function freeBlock(): u32 {
  return load<u32>(STATE, 12);
}

export function setFreeBlock(address: u32): void {
  store<u32>(STATE, address, 12);
}

/** Labels below this number have a state. */
export function labelCapacity(): u32 {
  return load<u32>(STATE, 20);
}

export function setLabelCapacity(count: u32): void {
  store<u32>(STATE, count, 20);
}

/** The end of the used memory. */
export function usedBytes(): u32 {
  return load<u32>(STATE, 16);
}

/** Must be called once for a new index. */
export function initialise(bytes: u32): void {
  store<u32>(STATE, bytes);
  store<u32>(STATE, FIRST, 16);
  for (let value: u32 = 0; value < 16; value++) {
    for (let bit: u32 = 0; bit < 4; bit++)
      store<f32>(SIGNS + (value << 4) + (bit << 2), ((value >> bit) & 1) === 1 ? 1 : -1);
  }
}

/** Returns the address of new memory, which is zero. */
export function allocate(bytes: u32): u32 {
  const address = usedBytes();
  const end = address + ((bytes + 15) & ~15);
  const missing = <i32>(((end + 65535) >> 16) - memory.size());
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
  store<u32>(STATE, end, 16);
  return address;
}
