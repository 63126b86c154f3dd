import type { HierarchicalNSW } from "hnswlib-node";
import { createYield } from "../yield.ts";
import type { Neighbour } from "./frame-searcher.ts";
import { dot, type FrameVectors } from "./frame-vectors.ts";
import { createLabelRanges, type LabelRange, type LabelState } from "./label-ranges.ts";

/** The parameters of the graph; a file of another one is not used. */
export const graphParameters = { m: 16, efConstruction: 128 };
/** Frames that a search compares further before it ends: recall and time grow with it. */
const SEARCH_EF = 512;
/** Resident memory of a frame: 512 bytes for its vector, the others for its links, a lock and its label. */
const BYTES_PER_FRAME = 780;
/** The graph grows by this factor when it is full. A place without a frame takes 50 bytes of resident memory. */
const GROWTH = 1.25;
/**
 * A search in episodes that have at most this many times the root of the number of frames compares all of theirs.
 * In a graph it would compare most frames to find theirs, and call a function for each.
 */
const EXACT_FACTOR = 12;

/** The package hnswlib-node. */
export type Hnswlib = { HierarchicalNSW: typeof HierarchicalNSW };

/** Loads hnswlib-node, an optional dependency. Throws when it is missing or not compiled. */
export async function loadHnswlib(): Promise<Hnswlib> {
  return (await import("hnswlib-node")).default;
}

/**
 * Vectors of frames in a navigable graph (HNSW: Malkov and Yashunin, TPAMI 2020) of hnswlib. It needs three times the
 * memory of `createFrameLists`. The place of a removed frame is used by the next one with its label.
 */
export function createFrameGraph({ HierarchicalNSW }: Hnswlib, dimensions: number): FrameGraph {
  const graph = new HierarchicalNSW("cosine", dimensions);
  graph.initIndex({ maxElements: 0, ...graphParameters });
  return wrapFrameGraph(graph, { nextLabel: 0, freeRanges: [] });
}

/**
 * Reads a file of `write`. `used` are the ranges of the labels that are shown. Throws for a truncated file; the caller
 * must not pass one with other content.
 */
export async function readFrameGraph(
  { HierarchicalNSW }: Hnswlib,
  file: string,
  dimensions: number,
  used: readonly LabelRange[],
): Promise<FrameGraph> {
  const graph = new HierarchicalNSW("cosine", dimensions);
  await graph.readIndex(file);
  return wrapFrameGraph(graph, findFreeRanges(used));
}

function wrapFrameGraph(graph: HierarchicalNSW, used: LabelState) {
  const labels = createLabelRanges(used);
  const dimensions = graph.getNumDimensions();
  /** The frames that are being added. Marked as deleted they would get no links. */
  let hidden: LabelRange | undefined;
  let state = 1;
  graph.setEf(SEARCH_EF);

  /**
   * Changes a component by at most a quarter, by a linear congruential generator: its code is rounded by up to a half.
   * A graph of equal vectors has no links to most of them. A vector without content stays one.
   */
  function disturb(code: number): number {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return code === 0 ? 0 : code + state / 2 ** 33;
  }

  function vectorOf(label: number): Float32Array | undefined {
    try {
      return Float32Array.from(graph.getPoint(label));
    } catch {
      // It throws for a label that is not stored.
      return undefined;
    }
  }

  function reserve(frames: number): void {
    const needed = graph.getCurrentCount() + frames;
    if (needed > graph.getMaxElements()) graph.resizeIndex(Math.ceil(needed * GROWTH));
  }

  function searchGraph(
    views: readonly Float32Array[],
    count: number,
    isSearched?: (label: number) => boolean,
  ): Neighbour[][] {
    const mostFound = Math.min(count, graph.getMaxElements());
    return views.map((view) => {
      const { neighbors, distances } = graph.searchKnn(Array.from(view), mostFound, isSearched);
      return neighbors.map((label, rank) => ({ label, cosine: 1 - (distances[rank] ?? 0) }));
    });
  }

  /** Compares all frames of the ranges. */
  function searchExactly(
    views: readonly Float32Array[],
    count: number,
    ranges: readonly LabelRange[],
  ): Neighbour[][] {
    const found = views.map((): Neighbour[] => []);
    for (const { first, end } of ranges) {
      for (let label = first; label < end; label++) {
        const vector = vectorOf(label);
        if (vector === undefined) continue;
        for (const [at, view] of views.entries()) found[at]?.push({ label, cosine: dot(vector, view) });
      }
    }
    return found.map((all) => all.sort((a, b) => b.cosine - a.cosine || a.label - b.label).slice(0, count));
  }

  function markDeleted({ first, end }: LabelRange): void {
    for (let label = first; label < end; label++) graph.markDelete(label);
  }

  const vectors: FrameVectors = {
    async add(codes) {
      const count = codes.length / dimensions;
      const range = labels.take(count);
      const yieldNow = createYield();
      hidden = { first: range.first, end: range.first };
      try {
        reserve(count);
        for (let at = 0; at < count; at++) {
          const vector = Array.from(codes.subarray(at * dimensions, (at + 1) * dimensions), disturb);
          graph.addPoint(vector, hidden.end);
          hidden.end++;
          await yieldNow();
        }
      } catch (error) {
        markDeleted(hidden);
        hidden = undefined;
        labels.release(range);
        throw error;
      }
      return range;
    },
    show() {
      hidden = undefined;
    },
    refine: async () => undefined,
    async remove(range) {
      markDeleted(range);
      labels.release(range);
    },
    search(views, { count, ranges }) {
      if (ranges === undefined) {
        const { first, end } = hidden ?? { first: 0, end: 0 };
        return searchGraph(views, count, first < end ? (label) => label < first || label >= end : undefined);
      }
      const within = ranges.reduce((sum, { first, end }) => sum + end - first, 0);
      if (within <= EXACT_FACTOR * Math.sqrt(graph.getCurrentCount()))
        return searchExactly(views, count, ranges);
      const isWithin = new Uint8Array(ranges.reduce((most, { end }) => Math.max(most, end), 0));
      for (const { first, end } of ranges) isWithin.fill(1, first, end);
      return searchGraph(views, count, (label) => isWithin[label] === 1);
    },
    vectorOf,
    stats: () => ({ memoryBytes: graph.getCurrentCount() * BYTES_PER_FRAME }),
  };
  return {
    ...vectors,
    /**
     * Writes the graph into a file; the caller must not change it during the call. hnswlib reports no failed write: a
     * file that the disk has no room for is shorter, and is not read.
     */
    write: async (file: string): Promise<void> => void (await graph.writeIndex(file)),
  };
}

/** Vectors of frames in a graph. */
export type FrameGraph = ReturnType<typeof wrapFrameGraph>;

/** Returns the labels between those of the episodes. */
function findFreeRanges(used: readonly LabelRange[]): LabelState {
  const freeRanges: LabelRange[] = [];
  let nextLabel = 0;
  for (const { first, end } of used.toSorted((a, b) => a.first - b.first)) {
    if (first > nextLabel) freeRanges.push({ first: nextLabel, end: first });
    nextLabel = end;
  }
  return { nextLabel, freeRanges };
}
