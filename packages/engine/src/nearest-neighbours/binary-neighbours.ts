import { readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createYield } from "../yield.ts";
import { createBinaryCodeTable, labelState, MOST_LISTED, signsOf } from "./binary-codes/binary-code-table.ts";
import { cacheRecords } from "./cached-records.ts";
import type { Neighbour } from "./frame-searcher.ts";
import type { FrameVectors } from "./frame-vectors.ts";
import { createLabelRanges, type LabelState } from "./label-ranges.ts";
import { dequantise } from "./quantise.ts";
import { readAll, writeAll } from "./transfer-all.ts";
import { openUnnamedFile } from "./unnamed-file.ts";

/**
 * Number of codes that are compared with the query's components, and of those whose vectors are read from
 * disk.
 */
const SHORTLIST = 2000;
const RERANKED = 160;
const HEADER_WORDS = 4;
/**
 * A view is compared with this many times the root of the number of codes: with all of 9,000, and with a tenth of
 * a million.
 */
const BUDGET_FACTOR = 96;
/**
 * Codes that move to their nearest lists for each added one. Of 520 right regions among the first 12 of a full
 * search, a search of 128,000 of a million finds 519; without this step, 479.
 */
const REFINED_CODES = 2;
/**
 * Nearest neighbours by one bit per dimension in memory and int8 vectors on disk: 16 bytes of memory for a
 * vector of 128 dimensions. The codes are in lists around centroids. Those in the lists nearest to the query are
 * compared by their Hamming distance, the nearest of them by the query's components with the signs of the code
 * (asymmetric distance, Gordo et al., TPAMI 2014), and the best of those by their vectors. On 25,000 regions of
 * frames the first 48 contained as many correct ones as those of an exact search.
 */
export function createBinaryNeighbours(
  dimensions: number,
  folder?: string,
  { state, image }: { state?: LabelState; image?: Uint8Array } = {},
) {
  const words = dimensions / 32;
  if (!Number.isInteger(words)) throw new RangeError("The number of dimensions must be a multiple of 32.");
  const file = openUnnamedFile("vectors", folder);
  const labels = createLabelRanges(state);
  const table = createBinaryCodeTable(dimensions, image);
  const records = cacheRecords(file.descriptor, dimensions);
  let refinedList = 0;

  function codeOf(label: number): Int8Array | undefined {
    if (label >= labels.state().nextLabel || table.stateOf(label) !== labelState.shown) return undefined;
    const code = new Int8Array(dimensions);
    return readSync(file.descriptor, code, 0, dimensions, label * dimensions) === dimensions
      ? code
      : undefined;
  }

  function searchView(
    vector: Float32Array,
    count: number,
    scope: { budget: number; isWithin: boolean },
  ): Neighbour[] {
    const listed = Math.min(MOST_LISTED, Math.max(SHORTLIST, count));
    const nearest = table.findNearest(vector, { ...scope, listed, count: Math.max(RERANKED, count) });
    const best = Array.from(nearest, (label): Neighbour => {
      const at = records.find(label);
      return { label, cosine: cosineOf(records.bytes(), at, vector) };
    });
    return best.sort((a, b) => b.cosine - a.cosine || a.label - b.label).slice(0, count);
  }

  const neighbours: FrameVectors = {
    async add(vectors) {
      const count = vectors.length / dimensions;
      const range = labels.take(count);
      table.reserve(range.end);
      const yieldNow = createYield();
      for (let at = 0; at < count; at++) {
        const code = vectors.subarray(at * dimensions, (at + 1) * dimensions);
        if (code.some((value) => value !== 0)) table.insert(range.first + at, signsOf(code, words));
        await yieldNow();
      }
      file.write(vectors, range.first * dimensions);
      records.forget(range.first, count);
      return range;
    },
    show: (range) => table.replaceStates(range, labelState.hidden, labelState.shown),
    async refine(added) {
      const yieldNow = createYield();
      for (let remaining = added * REFINED_CODES; remaining > 0; ) {
        refinedList = (refinedList + 1) % Math.max(1, table.listCount());
        remaining -= 1 + table.refine(refinedList);
        await yieldNow();
      }
    },
    async remove(range) {
      for (const state of [labelState.shown, labelState.hidden])
        table.replaceStates(range, state, labelState.notStored);
      labels.release(range);
      const yieldNow = createYield();
      for (let list = 0; list < table.listCount(); list++) {
        table.sweep(list);
        await yieldNow();
      }
    },
    vectorOf(label) {
      const code = codeOf(label);
      return code && dequantise(code);
    },
    search(views, { count, ranges }) {
      const stored = table.count();
      if (ranges === undefined) {
        const scope = { budget: budgetFor(stored), isWithin: false };
        return views.map((view) => searchView(view, count, scope));
      }
      const within = ranges.reduce((sum, { first, end }) => sum + end - first, 0);
      // The lists near a view contain the same share of these labels as all lists.
      const budget = Math.ceil((budgetFor(within) * stored) / Math.max(1, within));
      const scope = { budget, isWithin: true };
      return table.limitTo(ranges, () => views.map((view) => searchView(view, count, scope)));
    },
    stats: () => ({ memoryBytes: table.memoryBytes() + records.bytes().length }),
  };
  return {
    ...neighbours,
    /** Writes codes and vectors into a file; the caller must not add or remove vectors during the call. */
    async write(target: string): Promise<void> {
      const { nextLabel, freeRanges } = labels.state();
      await using handle = await open(target, "wx");
      await handle.write(Uint32Array.of(dimensions, nextLabel, freeRanges.length, table.image().length));
      await handle.write(Uint32Array.from(freeRanges.flatMap(({ first, end }) => [first, end])));
      await writeAll(handle, table.image());
      await file.copyTo(handle, nextLabel * dimensions);
    },
    /** Reads the vectors of a file of `write` from a position on. Throws RangeError for a shorter file. */
    async readVectors(handle: FileHandle, from: number): Promise<void> {
      const length = labels.state().nextLabel * dimensions;
      if ((await file.copyFrom(handle, from, length)) < length)
        throw new RangeError("The vectors end too early.");
    },
    close: (): void => file.close(),
  };
}

/** Nearest neighbours by the signs of their components. */
export type BinaryNeighbours = ReturnType<typeof createBinaryNeighbours>;

/** Reads a file of `write`. Throws RangeError for other content. */
export async function readBinaryNeighbours(
  source: string,
  dimensions: number,
  folder?: string,
): Promise<BinaryNeighbours> {
  await using handle = await open(source, "r");
  const header = new Uint32Array(HEADER_WORDS);
  await handle.read(header);
  const [storedDimensions, nextLabel = 0, rangeCount = 0, imageBytes = 0] = header;
  if (storedDimensions !== dimensions) throw new RangeError("The vectors have other dimensions.");
  const limits = new Uint32Array(rangeCount * 2);
  await handle.read(limits);
  const freeRanges = Array.from({ length: rangeCount }, (_, at) => ({
    first: limits[2 * at] ?? 0,
    end: limits[2 * at + 1] ?? 0,
  }));
  const image = new Uint8Array(imageBytes);
  const imageAt = header.byteLength + limits.byteLength;
  await readAll(handle, image, imageAt);
  const neighbours = createBinaryNeighbours(dimensions, folder, { state: { nextLabel, freeRanges }, image });
  try {
    await neighbours.readVectors(handle, imageAt + imageBytes);
  } catch (error) {
    neighbours.close();
    throw error;
  }
  return neighbours;
}

/** Returns the number of codes that a view is compared with. */
function budgetFor(codes: number): number {
  return Math.ceil(BUDGET_FACTOR * Math.sqrt(codes));
}

/** Returns the cosine of the stored vector at an offset and a unit vector. */
function cosineOf(stored: Int8Array, from: number, unit: Float32Array): number {
  let [product, power] = [0, 0];
  for (let at = 0; at < unit.length; at++) {
    const value = stored[from + at] ?? 0;
    product += value * (unit[at] ?? 0);
    power += value * value;
  }
  return product / Math.sqrt(Math.max(1, power));
}
