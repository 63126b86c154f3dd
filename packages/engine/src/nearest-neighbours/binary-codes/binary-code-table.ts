import { Instance, Memory, Module, type OwnMemory } from "../../web-assembly.ts";
import type { LabelRange } from "../label-ranges.ts";
import { kernelBytes } from "./kernel-bytes.ts";

// The addresses of kernels/binary-codes/layout.ts.
const [CODE, LABELS, VECTOR] = [1024, 8192, 108_544];
const MOST_DIMENSIONS = 1024;
/** Largest number of codes that a search lists, besides others of equal distance. */
export const MOST_LISTED = 4096;

const FIRST_PAGES = 7;
const PAGE_BYTES = 65_536;
const MOST_PAGES = 65_536;

/** The states of a label. A vector of zeros is not stored: it is similar to no other. */
export const labelState = { notStored: 0, shown: 1, hidden: 2 } as const;
/** The state of shown labels in the ranges of a search, while it runs. */
const SEARCHED = 3;

type Kernel = {
  initialise(bytes: number): void;
  reserve(end: number): void;
  insert(label: number): void;
  sweep(list: number): void;
  refine(list: number): void;
  lengthOf(list: number): number;
  stateOf(label: number): number;
  replaceStates(first: number, end: number, from: number, to: number): void;
  search(budget: number, listed: number, count: number, state: number): number;
  entryCount(): number;
  listCount(): number;
  usedBytes(): number;
};

let compiled: object | undefined;

/**
 * Codes of one bit per dimension and a state per label, in the memory of a WebAssembly kernel that compares
 * them. An `image` of another table replaces the content of a new one.
 */
export function createBinaryCodeTable(dimensions: number, image?: Uint8Array) {
  if (dimensions > MOST_DIMENSIONS) throw new RangeError(`There are at most ${MOST_DIMENSIONS} dimensions.`);
  const words = dimensions / 32;
  // The kernel compares 64 bits at a time; the bits after the last dimension are zero.
  const storedWords = Math.ceil(words / 2) * 2;
  compiled ??= new Module(kernelBytes);
  const pages = Math.max(FIRST_PAGES, Math.ceil((image?.length ?? 0) / PAGE_BYTES));
  const memory: OwnMemory = new Memory({ initial: pages, maximum: MOST_PAGES });
  const kernel = new Instance(compiled, { env: { memory } }).exports as Kernel;
  if (image === undefined) kernel.initialise(storedWords * 4);
  else new Uint8Array(memory.buffer).set(image);

  function writeCode(signs: Uint32Array): void {
    const code = new Uint32Array(memory.buffer, CODE, storedWords);
    code.fill(0);
    code.set(signs);
  }

  return {
    /** Makes room for the states of the labels below `end`. */
    reserve: (end: number): void => kernel.reserve(end),
    stateOf: (label: number): number => kernel.stateOf(label),
    /** Replaces the state of the labels that have the state `from`. */
    replaceStates({ first, end }: LabelRange, from: number, to: number): void {
      kernel.replaceStates(first, end, from, to);
    },
    /** Stores the code of a hidden label. */
    insert(label: number, signs: Uint32Array): void {
      kernel.replaceStates(label, label + 1, labelState.notStored, labelState.hidden);
      writeCode(signs);
      kernel.insert(label);
    },
    listCount: (): number => kernel.listCount(),
    /** Frees the codes of a list whose labels are not stored. */
    sweep: (list: number): void => kernel.sweep(list),
    /** Moves the codes of a list to the nearest lists; returns their number. */
    refine(list: number): number {
      const length = kernel.lengthOf(list);
      kernel.refine(list);
      return length;
    },
    count: (): number => kernel.entryCount(),
    /**
     * Returns shown labels, ascending. Of the codes in the nearest lists, at least `budget` if there are so many,
     * theirs are nearest to the signs of the vector: at least `listed` (at most 4096), and others of the same
     * distance. Of these about `count` have the largest products of their signs and the vector.
     */
    findNearest(
      vector: Float32Array,
      {
        budget,
        listed,
        count,
        isWithin,
      }: { budget: number; listed: number; count: number; isWithin: boolean },
    ): Uint32Array {
      writeCode(signsOf(vector, words));
      const query = new Float32Array(memory.buffer, VECTOR, storedWords * 32);
      query.fill(0);
      query.set(vector);
      const size = kernel.search(budget, listed, count, isWithin ? SEARCHED : labelState.shown);
      return new Uint32Array(memory.buffer, LABELS, size).slice().sort();
    },
    /** Calls `search`, whose searches with `isWithin` find labels in the ranges only. */
    limitTo<T>(ranges: readonly LabelRange[], search: () => T): T {
      for (const { first, end } of ranges) kernel.replaceStates(first, end, labelState.shown, SEARCHED);
      try {
        return search();
      } finally {
        for (const { first, end } of ranges) kernel.replaceStates(first, end, SEARCHED, labelState.shown);
      }
    },
    /** The content for another table; valid until the next change. */
    image: (): Uint8Array => new Uint8Array(memory.buffer, 0, kernel.usedBytes()),
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
