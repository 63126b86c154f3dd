// A min-heap of the best results of a search. A key has 64 bits and orders by score, then by lower label, so
// results do not depend on the order of the scan. A heap is stored as its size, its capacity and its keys.

export const HEAP_HEADER_BYTES: u32 = 8;

export function heapBytes(capacity: u32): u32 {
  return HEAP_HEADER_BYTES + (capacity << 3);
}

export function clearHeap(heap: u32, capacity: u32): void {
  store<u32>(heap, 0);
  store<u32>(heap + 4, capacity);
}

export function keyOf(score: f32, label: u32): u64 {
  const bits = reinterpret<u32>(score);
  const ordered = bits ^ (<u32>(<i32>bits >> 31) | 0x80000000);
  return ((<u64>ordered) << 32) | <u64>~label;
}

export function scoreOf(key: u64): f32 {
  const ordered = <u32>(key >> 32);
  return reinterpret<f32>((ordered & 0x80000000) !== 0 ? ordered ^ 0x80000000 : ~ordered);
}

export function labelOf(key: u64): u32 {
  return ~(<u32>key);
}

/** Inserts a key if it is among the best; returns the score that a further key must exceed. */
export function pushKey(heap: u32, key: u64): f32 {
  const size = load<u32>(heap);
  const capacity = load<u32>(heap + 4);
  const keys = heap + HEAP_HEADER_BYTES;
  if (size < capacity) {
    store<u32>(heap, size + 1);
    let at = size;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = load<u64>(keys + (parent << 3));
      if (other <= key) break;
      store<u64>(keys + (at << 3), other);
      at = parent;
    }
    store<u64>(keys + (at << 3), key);
    return size + 1 < capacity ? -Infinity : scoreOf(load<u64>(keys));
  }
  if (key > load<u64>(keys)) siftDown(keys, size, key);
  return scoreOf(load<u64>(keys));
}

/** Replaces the smallest key. */
function siftDown(keys: u32, size: u32, key: u64): void {
  let at: u32 = 0;
  while (true) {
    let child: u32 = 2 * at + 1;
    if (child >= size) break;
    let least = load<u64>(keys + (child << 3));
    if (child + 1 < size) {
      const right = load<u64>(keys + ((child + 1) << 3));
      if (right < least) {
        least = right;
        child++;
      }
    }
    if (key <= least) break;
    store<u64>(keys + (at << 3), least);
    at = child;
  }
  store<u64>(keys + (at << 3), key);
}

/** Sorts the keys of a heap, best first. The array is no longer a heap afterwards. */
export function sortHeap(heap: u32): void {
  const keys = heap + HEAP_HEADER_BYTES;
  for (let size = load<u32>(heap); size > 1; size--) {
    const least = load<u64>(keys);
    const last = load<u64>(keys + ((size - 1) << 3));
    siftDown(keys, size - 1, last);
    store<u64>(keys + ((size - 1) << 3), least);
  }
}
