import type { LabelRange } from "../../vector-index/label-ranges.ts";
import { Instance, Memory, Module, type OwnMemory } from "../../web-assembly.ts";
import { kernelBytes } from "./kernel-bytes.ts";

// The addresses of kernels/sign-codes/index.ts.
const QUERY = 1024;
const FREE = 65_536;
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
  let capacity = 0;
  let codes = new Uint32Array();
  let states = new Uint8Array();
  reserve(FIRST_CAPACITY);

  /** Makes room for the labels below `count`. Throws RangeError when the memory is full. */
  function reserve(count: number): void {
    if (count <= capacity) return;
    const enlarged = Math.max(count, Math.ceil(capacity * GROWTH));
    const previous = states.slice();
    const end = FREE + enlarged * (storedWords * 4 + 1);
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) memory.grow(missing);
    capacity = enlarged;
    codes = new Uint32Array(memory.buffer, FREE, capacity * storedWords);
    states = new Uint8Array(memory.buffer, FREE + codes.byteLength, capacity);
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
     * Returns the shown labels in the ranges whose codes are nearest to a code, ascending: at least `count`
     * (at most 4096), and others of the same distance.
     */
    findNearest(code: Uint32Array, count: number, ranges: readonly LabelRange[]): Uint32Array {
      const query = new Uint32Array(memory.buffer, QUERY, storedWords);
      query.fill(0);
      query.set(code);
      kernel.begin();
      for (const { first, end } of ranges)
        kernel.scan(FREE, states.byteOffset, storedWords * 4, first, Math.min(end, capacity), count);
      const size = kernel.finish(count);
      return new Uint32Array(memory.buffer, kernel.labels(), size).slice();
    },
    memoryBytes: (): number => memory.buffer.byteLength,
  };
}
