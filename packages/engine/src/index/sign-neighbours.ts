import { readSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dequantise } from "../episode/quantise.ts";
import { createTurns } from "../turns.ts";
import type { Neighbour } from "../vector-index/frame-searcher.ts";
import { createLabelRanges, type LabelRange, type LabelState } from "../vector-index/label-ranges.ts";
import { dot, type FrameVectors } from "./frame-vectors.ts";
import { openUnnamedFile } from "./unnamed-file.ts";

const FIRST_CAPACITY = 1024;
const GROWTH = 1.5;
/**
 * Number of codes that are compared with the query's components, and of those whose vectors are read from
 * disk.
 */
const SHORTLIST = 2000;
const RERANKED = 160;
const SCORE_STEPS = 512;
const HEADER_WORDS = 4;
/** The states of a label. A vector of zeros is not stored: it is similar to no other. */
const NOT_STORED = 0;
const SHOWN = 1;
const HIDDEN = 2;

/**
 * Nearest neighbours by one bit per dimension in memory and int8 vectors on disk: 16 bytes of memory for a
 * vector of 128 dimensions. All codes are compared by their Hamming distance, the nearest of them by the
 * query's components with the signs of the code (asymmetric distance, Gordo et al., TPAMI 2014), and the best
 * of those by their vectors. On 25,000 regions of frames the first 48 contained as many correct ones as those
 * of an exact search.
 */
export function createSignNeighbours(dimensions: number, folder?: string, state?: LabelState) {
  const words = dimensions / 32;
  if (!Number.isInteger(words)) throw new RangeError("The number of dimensions must be a multiple of 32.");
  const file = openUnnamedFile("vectors", folder);
  const labels = createLabelRanges(state);
  let codes = new Uint32Array(FIRST_CAPACITY * words);
  let states = new Uint8Array(FIRST_CAPACITY);
  let distances = new Uint8Array(0);
  reserve(endOfLabels());

  function endOfLabels(): number {
    return labels.state().nextLabel;
  }

  function reserve(count: number): void {
    if (count <= states.length) return;
    const capacity = Math.max(count, Math.ceil(states.length * GROWTH));
    codes = enlarged(codes, new Uint32Array(capacity * words));
    states = enlarged(states, new Uint8Array(capacity));
  }

  function codeOf(label: number): Int8Array | undefined {
    if (states[label] !== SHOWN) return undefined;
    const code = new Int8Array(dimensions);
    return readSync(file.descriptor, code, 0, dimensions, label * dimensions) === dimensions
      ? code
      : undefined;
  }

  /** Returns about `count` labels in the ranges whose codes are nearest to the code of the query. */
  function findShortlist(query: Uint32Array, count: number, ranges: readonly LabelRange[]): number[] {
    if (distances.length < states.length) distances = new Uint8Array(states.length);
    const histogram = new Uint32Array(dimensions + 1);
    for (const { first, end } of ranges) {
      for (let label = first, at = first * words; label < end; label++) {
        let distance = 0;
        for (let word = 0; word < words; word++, at++) {
          distance += countBits((codes[at] ?? 0) ^ (query[word] ?? 0));
        }
        distances[label] = states[label] === SHOWN ? distance : 255;
        if (states[label] === SHOWN) histogram[distance] = (histogram[distance] ?? 0) + 1;
      }
    }
    let limit = 0;
    for (let sum = 0; limit < dimensions; limit++) {
      sum += histogram[limit] ?? 0;
      if (sum >= count) break;
    }
    const shortlist: number[] = [];
    for (const { first, end } of ranges) {
      for (let label = first; label < end; label++) {
        if ((distances[label] ?? 255) <= limit) shortlist.push(label);
      }
    }
    return shortlist;
  }

  function searchView(vector: Float32Array, count: number, ranges: readonly LabelRange[]): Neighbour[] {
    const shortlist = findShortlist(signsOf(vector, words), Math.max(SHORTLIST, count), ranges);
    const tables = createTables(vector, words);
    const scores = Float32Array.from(shortlist, (label) => scoreOf(codes, label * words, tables, words));
    const best = indicesOfBest(scores, Math.max(RERANKED, count)).map((index): Neighbour => {
      const label = shortlist[index] ?? 0;
      return { label, cosine: cosineOf(codeOf(label) ?? [], vector) };
    });
    return takeBest(best, count);
  }

  const neighbours: FrameVectors = {
    async add(vectors) {
      const count = vectors.length / dimensions;
      const range = labels.take(count);
      reserve(range.end);
      const turn = createTurns();
      for (let at = 0; at < count; at++) {
        const code = vectors.subarray(at * dimensions, (at + 1) * dimensions);
        const isZero = code.every((value) => value === 0);
        states[range.first + at] = isZero ? NOT_STORED : HIDDEN;
        codes.set(signsOf(code, words), (range.first + at) * words);
        await turn();
      }
      writeSync(file.descriptor, vectors, 0, vectors.length, range.first * dimensions);
      return range;
    },
    show({ first, end }) {
      for (let label = first; label < end; label++) {
        if (states[label] === HIDDEN) states[label] = SHOWN;
      }
    },
    refine: async () => undefined,
    async remove(range) {
      states.fill(NOT_STORED, range.first, range.end);
      labels.release(range);
    },
    vectorOf(label) {
      const code = codeOf(label);
      return code && dequantise(code);
    },
    search: (views, { count, ranges = [{ first: 0, end: endOfLabels() }] }) =>
      views.map((view) => searchView(view, count, ranges)),
    stats: () => ({ memoryBytes: codes.byteLength + states.byteLength + distances.byteLength }),
  };
  return {
    ...neighbours,
    /** Writes codes and vectors into a file; the caller must not add or remove vectors during the call. */
    async write(target: string): Promise<void> {
      const { nextLabel, freeRanges } = labels.state();
      const handle = await open(target, "wx");
      try {
        await handle.write(Uint32Array.of(dimensions, nextLabel, freeRanges.length, 0));
        await handle.write(Uint32Array.from(freeRanges.flatMap(({ first, end }) => [first, end])));
        await handle.write(states.subarray(0, nextLabel));
        await handle.write(codes.subarray(0, nextLabel * words));
        await copyVectors(handle, nextLabel);
      } finally {
        await handle.close();
      }
    },
    /** Reads the content after the labels of a file of `write`. Throws RangeError for other content. */
    async readFrom(handle: FileHandle): Promise<void> {
      const count = endOfLabels();
      await handle.read(states, 0, count);
      await handle.read(codes, 0, count * words * 4);
      const block = new Uint8Array(1 << 20);
      for (let at = 0; at < count * dimensions; ) {
        const { bytesRead } = await handle.read(block, 0, Math.min(block.length, count * dimensions - at));
        if (bytesRead === 0) throw new RangeError("The vectors end too early.");
        writeSync(file.descriptor, block, 0, bytesRead, at);
        at += bytesRead;
      }
    },
    close: (): void => file.close(),
  };

  async function copyVectors(handle: FileHandle, count: number): Promise<void> {
    const block = new Uint8Array(1 << 20);
    for (let at = 0; at < count * dimensions; ) {
      const length = Math.min(block.length, count * dimensions - at);
      // Labels without a vector at the end of the file have no bytes.
      block.fill(0, readSync(file.descriptor, block, 0, length, at), length);
      await handle.write(block, 0, length);
      at += length;
    }
  }
}

/** Nearest neighbours by the signs of their components. */
export type SignNeighbours = ReturnType<typeof createSignNeighbours>;

/** Reads a file of `write`. Throws RangeError for other content. */
export async function readSignNeighbours(
  source: string,
  dimensions: number,
  folder?: string,
): Promise<SignNeighbours> {
  const handle = await open(source, "r");
  try {
    const header = new Uint32Array(HEADER_WORDS);
    await handle.read(header);
    const [storedDimensions, nextLabel = 0, rangeCount = 0] = header;
    if (storedDimensions !== dimensions) throw new RangeError("The vectors have other dimensions.");
    const limits = new Uint32Array(rangeCount * 2);
    await handle.read(limits);
    const freeRanges = Array.from({ length: rangeCount }, (_, at) => ({
      first: limits[2 * at] ?? 0,
      end: limits[2 * at + 1] ?? 0,
    }));
    const neighbours = createSignNeighbours(dimensions, folder, { nextLabel, freeRanges });
    try {
      await neighbours.readFrom(handle);
    } catch (error) {
      neighbours.close();
      throw error;
    }
    return neighbours;
  } finally {
    await handle.close();
  }
}

function enlarged<T extends Uint8Array | Uint32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

function signsOf(vector: ArrayLike<number>, words: number): Uint32Array {
  const signs = new Uint32Array(words);
  for (let at = 0; at < words * 32; at++) {
    if ((vector[at] ?? 0) > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
  }
  return signs;
}

/**
 * Returns, for each byte of a code and each of its values, the sum of the query's components with the signs
 * of its bits.
 */
function createTables(vector: ArrayLike<number>, words: number): Float32Array {
  const tables = new Float32Array(words * 4 * 256);
  for (let byte = 0; byte < words * 4; byte++) {
    for (let value = 0; value < 256; value++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++) {
        const component = vector[byte * 8 + bit] ?? 0;
        sum += (value >> bit) & 1 ? component : -component;
      }
      tables[byte * 256 + value] = sum;
    }
  }
  return tables;
}

function scoreOf(codes: Uint32Array, at: number, tables: Float32Array, words: number): number {
  let score = 0;
  for (let word = 0; word < words; word++) {
    const code = codes[at + word] ?? 0;
    const table = word * 1024;
    score +=
      (tables[table + (code & 255)] ?? 0) +
      (tables[table + 256 + ((code >>> 8) & 255)] ?? 0) +
      (tables[table + 512 + ((code >>> 16) & 255)] ?? 0) +
      (tables[table + 768 + (code >>> 24)] ?? 0);
  }
  return score;
}

/** Returns the number of set bits of a word (Warren, Hacker's Delight, 5-1). */
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function cosineOf(stored: ArrayLike<number>, unit: ArrayLike<number>): number {
  return dot(stored, unit) / Math.sqrt(Math.max(1, dot(stored, stored)));
}

/**
 * Returns the indices of about `count` of the highest scores. It counts scores in steps of their range
 * instead of sorting.
 */
function indicesOfBest(scores: Float32Array, count: number): number[] {
  const indices = [...scores.keys()];
  if (scores.length <= count) return indices;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const score of scores) {
    if (score < low) low = score;
    if (score > high) high = score;
  }
  const factor = high > low ? (SCORE_STEPS - 1) / (high - low) : 0;
  const counts = new Uint32Array(SCORE_STEPS);
  for (const score of scores) {
    const step = Math.floor((score - low) * factor);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  let least = SCORE_STEPS - 1;
  for (let sum = counts[least] ?? 0; least > 0 && sum < count; ) sum += counts[--least] ?? 0;
  return indices.filter((index) => Math.floor(((scores[index] ?? 0) - low) * factor) >= least);
}

function takeBest(neighbours: readonly Neighbour[], count: number): Neighbour[] {
  return neighbours.toSorted((a, b) => b.cosine - a.cosine || a.label - b.label).slice(0, count);
}
