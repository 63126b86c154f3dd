import { readSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { quantise } from "../episode/quantise.ts";
import type { StoredNeighbours } from "./index-cache.ts";
import { dot, type Neighbour, type Neighbours } from "./neighbours.ts";
import { openUnnamedFile } from "./unnamed-file.ts";

const FIRST_CAPACITY = 1024;
const GROWTH = 1.5;
/** Codes that are compared with the query's components, and those of them whose vectors are read from disk. */
const SHORTLIST = 2000;
const RERANKED = 160;
const SCORE_STEPS = 512;
const HEADER_BYTES = 16;

/**
 * Nearest neighbours by one bit per dimension in memory and int8 vectors on disk: 16 bytes of memory for a vector of 128
 * dimensions. Codes are compared by their Hamming distance, the nearest by the query's components with their signs
 * (asymmetric distance, Gordo et al., TPAMI 2014), the best of those by their vectors. On 25,000 regions of frames the first
 * 48 held as many right ones as those of an exact search.
 */
export function createSignNeighbours(dimensions: number, folder?: string) {
  const words = dimensions / 32;
  if (!Number.isInteger(words)) throw new RangeError("The number of dimensions must be a multiple of 32.");
  const file = openUnnamedFile("vectors", folder);
  let codes = new Uint32Array(FIRST_CAPACITY * words);
  let isStored = new Uint8Array(FIRST_CAPACITY);
  let distances = new Uint8Array(0);
  let end = 0;
  let removed = 0;

  function reserve(count: number): void {
    if (count <= isStored.length) return;
    const capacity = Math.max(count, Math.ceil(isStored.length * GROWTH));
    codes = enlarged(codes, new Uint32Array(capacity * words));
    isStored = enlarged(isStored, new Uint8Array(capacity));
  }

  function vectorOf(label: number): Int8Array | undefined {
    if (isStored[label] !== 1) return undefined;
    const vector = new Int8Array(dimensions);
    return readSync(file.descriptor, vector, 0, dimensions, label * dimensions) === dimensions
      ? vector
      : undefined;
  }

  /** The labels whose codes differ least from the query's, about `count`. */
  function findShortlist(query: Uint32Array, count: number): number[] {
    if (distances.length < end) distances = new Uint8Array(isStored.length);
    const histogram = new Uint32Array(dimensions + 1);
    for (let label = 0, at = 0; label < end; label++) {
      let distance = 0;
      for (let word = 0; word < words; word++, at++) {
        distance += countBits((codes[at] ?? 0) ^ (query[word] ?? 0));
      }
      distances[label] = isStored[label] === 1 ? distance : 255;
      if (isStored[label] === 1) histogram[distance] = (histogram[distance] ?? 0) + 1;
    }
    let limit = 0;
    for (let sum = 0; limit < dimensions; limit++) {
      sum += histogram[limit] ?? 0;
      if (sum >= count) break;
    }
    const labels: number[] = [];
    for (let label = 0; label < end; label++) {
      if ((distances[label] ?? 255) <= limit) labels.push(label);
    }
    return labels;
  }

  const neighbours: Neighbours = {
    /** A vector of zeros only takes the label: it is like nothing. */
    add(label, vector) {
      reserve(label + 1);
      end = Math.max(end, label + 1);
      const stored = new Int8Array(dimensions);
      if (quantise(vector, stored) === 0) return;
      codes.set(signsOf(vector, words), label * words);
      writeSync(file.descriptor, stored, 0, dimensions, label * dimensions);
      isStored[label] = 1;
    },
    remove(label) {
      if (isStored[label] === 1) removed++;
      isStored[label] = 0;
    },
    vectorOf,
    search(vector, count) {
      const shortlist = findShortlist(signsOf(vector, words), Math.max(SHORTLIST, count));
      const tables = createTables(vector, words);
      const scores = Float32Array.from(shortlist, (label) => scoreOf(codes, label * words, tables, words));
      const best = locationsOfBest(scores, Math.max(RERANKED, count)).map((location): Neighbour => {
        const label = shortlist[location] ?? 0;
        return { label, cosine: cosineOf(vectorOf(label) ?? [], vector) };
      });
      return takeBest(best, count);
    },
    size: () => ({ stored: end, removed }),
    memoryBytes: () => end * (words * 4 + 2),
  };
  return {
    ...neighbours,
    /** Writes codes and vectors into a file; nothing may be added or removed meanwhile. */
    async write(target: string): Promise<void> {
      const handle = await open(target, "wx");
      try {
        await handle.write(Uint32Array.of(dimensions, end, removed, 0));
        await handle.write(isStored.subarray(0, end));
        await handle.write(codes.subarray(0, end * words));
        await copyVectors(handle);
      } finally {
        await handle.close();
      }
    },
    /** Takes what `write` wrote. Throws RangeError for something else. */
    async read(source: string): Promise<void> {
      const handle = await open(source, "r");
      try {
        const header = new Uint32Array(HEADER_BYTES / 4);
        await handle.read(header);
        if (header[0] !== dimensions) throw new RangeError("The vectors are of another model.");
        const count = header[1] ?? 0;
        reserve(count);
        await handle.read(isStored, 0, count);
        await handle.read(codes, 0, count * words * 4);
        const block = new Uint8Array(1 << 20);
        for (let at = 0; at < count * dimensions; ) {
          const { bytesRead } = await handle.read(block, 0, Math.min(block.length, count * dimensions - at));
          if (bytesRead === 0) throw new RangeError("The vectors end too early.");
          writeSync(file.descriptor, block, 0, bytesRead, at);
          at += bytesRead;
        }
        [end, removed] = [count, header[2] ?? 0];
      } finally {
        await handle.close();
      }
    },
    close: (): void => file.close(),
  };

  async function copyVectors(handle: FileHandle): Promise<void> {
    const block = new Uint8Array(1 << 20);
    for (let at = 0; at < end * dimensions; ) {
      const options = Math.min(block.length, end * dimensions - at);
      // Labels without a vector at the end of the file read as nothing.
      block.fill(0, readSync(file.descriptor, block, 0, options, at), options);
      await handle.write(block, 0, options);
      at += options;
    }
  }
}

/** How `createIndexCache` stores them. */
export function signFormat(dimensions: number, folder?: string): StoredNeighbours<SignNeighbours> {
  return {
    parameters: { signs: dimensions },
    async read(file, { stored, removed }) {
      const neighbours = createSignNeighbours(dimensions, folder);
      await neighbours.read(file);
      const size = neighbours.size();
      if (size.stored === stored && size.removed === removed) return neighbours;
      neighbours.close();
      throw new RangeError("The vectors are not of the stated size.");
    },
  };
}

/** Neighbours by the signs of their components. */
export type SignNeighbours = ReturnType<typeof createSignNeighbours>;

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

/** For each byte of a code and each of its values: the sum of the query's components with the signs of the byte's bits. */
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

/** Bits that are set in a word (Warren, Hacker's Delight, 5-1). */
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function cosineOf(stored: ArrayLike<number>, unit: ArrayLike<number>): number {
  return dot(stored, unit) / Math.sqrt(Math.max(1, dot(stored, stored)));
}

/** The places of about `count` of the highest scores, counted in steps of their range instead of sorted. */
function locationsOfBest(scores: Float32Array, count: number): number[] {
  const locations = [...scores.keys()];
  if (scores.length <= count) return locations;
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
  return locations.filter((location) => Math.floor(((scores[location] ?? 0) - low) * factor) >= least);
}

function takeBest(neighbours: readonly Neighbour[], count: number): Neighbour[] {
  return neighbours.toSorted((a, b) => b.cosine - a.cosine || a.label - b.label).slice(0, count);
}
