import { readSync } from "node:fs";

/** Records that are read at once: near ones are often read together. */
const BLOCK_RECORDS = 16;
const MOST_BLOCKS = 8192;
const FIRST_BLOCKS = 16;

/**
 * Reads records of a file through a cache of its blocks: 16 MiB at most for records of 128 bytes. The oldest block
 * is replaced. A search reads thousands of records, and a call of the system for each costs more than their
 * comparison.
 */
export function cacheRecords(descriptor: number, recordBytes: number) {
  const blockBytes = BLOCK_RECORDS * recordBytes;
  const slotOf = new Map<number, number>();
  const blockIn = new Float64Array(MOST_BLOCKS);
  let bytes = new Int8Array(FIRST_BLOCKS * blockBytes);
  let read = 0;

  function readBlock(block: number): number {
    const slot = read % MOST_BLOCKS;
    if (read >= MOST_BLOCKS) {
      const replaced = blockIn[slot] ?? 0;
      if (slotOf.get(replaced) === slot) slotOf.delete(replaced);
    } else if ((slot + 1) * blockBytes > bytes.length) {
      const larger = new Int8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    const from = slot * blockBytes;
    const length = readSync(descriptor, bytes, from, blockBytes, block * blockBytes);
    bytes.fill(0, from + length, from + blockBytes);
    blockIn[slot] = block;
    slotOf.set(block, slot);
    read++;
    return slot;
  }

  return {
    /** Returns the offset in `bytes` of a record; zeros for one that was not written. */
    find(record: number): number {
      const block = Math.floor(record / BLOCK_RECORDS);
      const slot = slotOf.get(block) ?? readBlock(block);
      return slot * blockBytes + (record % BLOCK_RECORDS) * recordBytes;
    },
    /** The memory of the cache; the next call of `find` may change it. */
    bytes: (): Int8Array => bytes,
    /** Forgets records that were written. */
    forget(first: number, count: number): void {
      for (let block = Math.floor(first / BLOCK_RECORDS); block * BLOCK_RECORDS < first + count; block++)
        slotOf.delete(block);
    },
  };
}
