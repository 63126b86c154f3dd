import type { LabelRange } from "../../vector-index/label-ranges.ts";
import { Instance, Memory, Module, type OwnMemory } from "../../web-assembly.ts";
import { kernelBytes } from "./kernel-bytes.ts";

// The addresses of kernels/sign-codes/index.ts.
const QUERY = 1024;
const FREE = 75_776;
/** Largest number of codes that a search lists, besides others of equal distance. */
export const MOST_LISTED = 4096;

const PAGE_BYTES = 65_536;
const MOST_PAGES = 65_536;
const FIRST_CAPACITY = 1024;
const GROWTH = 1.5;

/** The states of a label. A vector of zeros is not stored: it is similar to no other. */
export const labelState = { notStored: 0, shown: 1, hidden: 2 } as const;

type Kernel = {
  begin(): void;
  scan(codes: number, states: number, bytes: number, first: number, end: number, count: number): void;
  finish(count: number): number;
  selectBest(codes: number, bytes: number, tables: number, count: number): number;
  labels(): number;
};

let compiled: object | undefined;

/**
 * Codes of one bit per dimension and a state per label, in the memory of a WebAssembly kernel that compares
 * them.
 */
export function createSignCodeTable(dimensions: number) {
  const words = dimensions / 32;
  // The kernel compares 64 bits at a time; the bits after the last dimension are zero.
  const storedWords = Math.ceil(words / 2) * 2;
  compiled ??= new Module(Buffer.from(kernelBytes, "base64"));
  const memory: OwnMemory = new Memory({ initial: 2, maximum: MOST_PAGES });
  const kernel = new Instance(compiled, { env: { memory } }).exports as Kernel;
  // The tables of a search are in front of the codes.
  const firstCode = FREE + storedWords * 4096;
  let capacity = 0;
  let codes = new Uint32Array();
  let states = new Uint8Array();
  reserve(FIRST_CAPACITY);

  /** Makes room for the labels below `count`. Throws RangeError when the memory is full. */
  function reserve(count: number): void {
    if (count <= capacity) return;
    const enlarged = Math.max(count, Math.ceil(capacity * GROWTH));
    const previous = states.slice();
    const end = firstCode + enlarged * (storedWords * 4 + 1);
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) memory.grow(missing);
    capacity = enlarged;
    codes = new Uint32Array(memory.buffer, firstCode, capacity * storedWords);
    states = new Uint8Array(memory.buffer, firstCode + codes.byteLength, capacity);
    states.fill(labelState.notStored);
    states.set(previous);
  }

  return {
    reserve,
    /** The state of each label; another array after `reserve`. */
    states: (): Uint8Array => states,
    setCode(label: number, code: Uint32Array): void {
      codes.set(code, label * storedWords);
    },
    /** The words of a label's code, and the place of the first one. */
    codes: (): { codes: Uint32Array; storedWords: number } => ({ codes, storedWords }),
    /**
     * Returns shown labels in the ranges, ascending. Their codes are nearest to the signs of a vector: at least
     * `listed` (at most 4096), and others of the same distance. Of these about `count` have the largest products
     * of their signs and the vector.
     */
    findNearest(
      vector: Float32Array,
      { listed, count, ranges }: { listed: number; count: number; ranges: readonly LabelRange[] },
    ): Uint32Array {
      const query = new Uint32Array(memory.buffer, QUERY, storedWords);
      query.fill(0);
      query.set(signsOf(vector, words));
      // The bytes after the last dimension have sums of zero.
      const tables = new Float32Array(memory.buffer, FREE, storedWords * 1024);
      fillTables(tables, vector);
      const bytes = storedWords * 4;
      kernel.begin();
      for (const { first, end } of ranges)
        kernel.scan(codes.byteOffset, states.byteOffset, bytes, first, Math.min(end, capacity), listed);
      kernel.finish(listed);
      const size = kernel.selectBest(codes.byteOffset, bytes, FREE, count);
      return new Uint32Array(memory.buffer, kernel.labels(), size).slice();
    },
    memoryBytes: (): number => memory.buffer.byteLength,
  };
}

/** Returns one bit per dimension: 1 for a positive component. */
export function signsOf(vector: ArrayLike<number>, words: number): Uint32Array {
  const signs = new Uint32Array(words);
  for (let at = 0; at < words * 32; at++) {
    if ((vector[at] ?? 0) > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
  }
  return signs;
}

/**
 * Fills, for each byte of a code and each of its values, the sum of the query's components with the signs of
 * its bits.
 */
function fillTables(tables: Float32Array, vector: ArrayLike<number>): void {
  for (let byte = 0; byte < tables.length / 256; byte++) {
    const at = byte * 256;
    let sum = 0;
    for (let bit = 0; bit < 8; bit++) sum = Math.fround(sum - (vector[byte * 8 + bit] ?? 0));
    tables[at] = sum;
    // Each value has the sum of the value without its highest bit, plus twice the component of that bit.
    for (let bit = 0; bit < 8; bit++) {
      const twice = 2 * (vector[byte * 8 + bit] ?? 0);
      for (let rest = 0; rest < 1 << bit; rest++)
        tables[at + (1 << bit) + rest] = (tables[at + rest] ?? 0) + twice;
    }
  }
}
