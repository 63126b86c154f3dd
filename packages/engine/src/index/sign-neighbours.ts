import { readSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dequantise } from "../episode/quantise.ts";
import { createTurns } from "../turns.ts";
import type { Neighbour } from "../vector-index/frame-searcher.ts";
import { createLabelRanges, type LabelRange, type LabelState } from "../vector-index/label-ranges.ts";
import type { FrameVectors } from "./frame-vectors.ts";
import { createSignCodeTable, labelState, MOST_LISTED, signsOf } from "./sign-codes/sign-code-table.ts";
import { openUnnamedFile } from "./unnamed-file.ts";

/**
 * Number of codes that are compared with the query's components, and of those whose vectors are read from
 * disk.
 */
const SHORTLIST = 2000;
const RERANKED = 160;
/** Vectors of labels of at most this distance are read together. Regions of adjacent frames have a distance of 9. */
const READ_GAP = 18;
const HEADER_WORDS = 4;
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
  const table = createSignCodeTable(dimensions);
  table.reserve(endOfLabels());

  function endOfLabels(): number {
    return labels.state().nextLabel;
  }

  function codeOf(label: number): Int8Array | undefined {
    if (table.states()[label] !== labelState.shown) return undefined;
    const code = new Int8Array(dimensions);
    return readSync(file.descriptor, code, 0, dimensions, label * dimensions) === dimensions
      ? code
      : undefined;
  }

  /** Reads the vectors of labels, ascending: near ones in one call, which costs more than their bytes. */
  function readInto(read: Map<number, Int8Array>, missing: Uint32Array): void {
    for (let at = 0; at < missing.length; ) {
      const first = missing[at] ?? 0;
      let end = at + 1;
      while (end < missing.length && (missing[end] ?? 0) - (missing[end - 1] ?? 0) <= READ_GAP) end++;
      const block = new Int8Array(((missing[end - 1] ?? 0) - first + 1) * dimensions);
      readSync(file.descriptor, block, 0, block.length, first * dimensions);
      for (const label of missing.subarray(at, end)) {
        const from = (label - first) * dimensions;
        read.set(label, block.subarray(from, from + dimensions));
      }
      at = end;
    }
  }

  function searchView(
    vector: Float32Array,
    count: number,
    ranges: readonly LabelRange[],
    read: Map<number, Int8Array>,
  ): Neighbour[] {
    const listed = Math.min(MOST_LISTED, Math.max(SHORTLIST, count));
    const nearest = table.findNearest(vector, { listed, count: Math.max(RERANKED, count), ranges });
    readInto(
      read,
      nearest.filter((label) => !read.has(label)),
    );
    const best = Array.from(nearest, (label): Neighbour => {
      const stored = read.get(label);
      return { label, cosine: stored === undefined ? 0 : cosineOf(stored, vector) };
    });
    return takeBest(best, count);
  }

  const neighbours: FrameVectors = {
    async add(vectors) {
      const count = vectors.length / dimensions;
      const range = labels.take(count);
      table.reserve(range.end);
      const turn = createTurns();
      for (let at = 0; at < count; at++) {
        const code = vectors.subarray(at * dimensions, (at + 1) * dimensions);
        const isZero = code.every((value) => value === 0);
        table.states()[range.first + at] = isZero ? labelState.notStored : labelState.hidden;
        table.setCode(range.first + at, signsOf(code, words));
        await turn();
      }
      writeSync(file.descriptor, vectors, 0, vectors.length, range.first * dimensions);
      return range;
    },
    show({ first, end }) {
      const states = table.states();
      for (let label = first; label < end; label++) {
        if (states[label] === labelState.hidden) states[label] = labelState.shown;
      }
    },
    refine: async () => undefined,
    async remove(range) {
      table.states().fill(labelState.notStored, range.first, range.end);
      labels.release(range);
    },
    vectorOf(label) {
      const code = codeOf(label);
      return code && dequantise(code);
    },
    search(views, { count, ranges = [{ first: 0, end: endOfLabels() }] }) {
      // Views of one image are similar to the same vectors.
      const read = new Map<number, Int8Array>();
      return views.map((view) => searchView(view, count, ranges, read));
    },
    stats: () => ({ memoryBytes: table.memoryBytes() }),
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
        await handle.write(table.states().slice(0, nextLabel));
        await handle.write(packCodes(nextLabel));
        await copyVectors(handle, nextLabel);
      } finally {
        await handle.close();
      }
    },
    /** Reads the content after the labels of a file of `write`. Throws RangeError for other content. */
    async readFrom(handle: FileHandle): Promise<void> {
      const count = endOfLabels();
      const states = new Uint8Array(count);
      const codes = new Uint32Array(count * words);
      await handle.read(states, 0, count);
      await handle.read(codes, 0, count * words * 4);
      table.states().set(states);
      for (let label = 0; label < count; label++)
        table.setCode(label, codes.subarray(label * words, (label + 1) * words));
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

  /** Returns the codes of the labels below `count` without the unused bits. */
  function packCodes(count: number): Uint32Array {
    const { codes, storedWords } = table.codes();
    if (storedWords === words) return codes.slice(0, count * words);
    const packed = new Uint32Array(count * words);
    for (let label = 0; label < count; label++)
      packed.set(codes.subarray(label * storedWords, label * storedWords + words), label * words);
    return packed;
  }

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

/** Returns the cosine of a stored vector and a unit vector. */
function cosineOf(stored: Int8Array, unit: Float32Array): number {
  let [product, power] = [0, 0];
  for (let at = 0; at < stored.length; at++) {
    const value = stored[at] ?? 0;
    product += value * (unit[at] ?? 0);
    power += value * value;
  }
  return product / Math.sqrt(Math.max(1, power));
}

function takeBest(neighbours: readonly Neighbour[], count: number): Neighbour[] {
  return neighbours.toSorted((a, b) => b.cosine - a.cosine || a.label - b.label).slice(0, count);
}
