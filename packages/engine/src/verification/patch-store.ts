/** Values of one part of the memory: 256 kB. */
const PART_VALUES = 65_536;
/** Parts that the thread retains between searches. */
const MOST_RETAINED = 16;

const retained: Float32Array[] = [];

/**
 * Opens a store for the values of patches. Its memory serves later stores of the thread, since arrays of their
 * own would be most of the garbage of a search. The values are valid until the store is disposed of.
 */
export function openPatchStore() {
  const parts: Float32Array[] = [];
  let used = PART_VALUES;

  return {
    /** Returns a copy of at most PART_VALUES values. */
    store(values: Float32Array): Float32Array {
      let part = parts.at(-1);
      if (part === undefined || used + values.length > PART_VALUES) {
        part = retained.pop() ?? new Float32Array(PART_VALUES);
        parts.push(part);
        used = 0;
      }
      const stored = part.subarray(used, used + values.length);
      stored.set(values);
      used += values.length;
      return stored;
    },
    [Symbol.dispose](): void {
      retained.push(...parts.splice(0, MOST_RETAINED - retained.length));
      parts.length = 0;
      used = PART_VALUES;
    },
  };
}
