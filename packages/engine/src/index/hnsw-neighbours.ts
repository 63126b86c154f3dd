import hnswlib from "hnswlib-node";
import type { StoredNeighbours } from "./index-cache.ts";
import type { Neighbours } from "./neighbours.ts";

/** Build parameters of the graph (Malkov and Yashunin 2018); a graph on disk is only taken with the same. */
const hnswParameters = { m: 16, efConstruction: 128 } as const;

const SEARCH_WIDTH = 128;
const FIRST_CAPACITY = 1024;
const GROWTH = 1.25;

/** Approximate nearest neighbours in a navigable small world graph. Calls block; the files are those of hnswlib. */
export function createHnswNeighbours(dimensions: number) {
  const graph = new hnswlib.HierarchicalNSW("ip", dimensions);
  graph.initIndex({ maxElements: FIRST_CAPACITY, ...hnswParameters });
  return wrap(graph, dimensions, 0);
}

/** The graph that `write` put into a file when `size` was such. Throws when it is none, or another one. */
async function readHnswNeighbours(
  file: string,
  dimensions: number,
  size: ReturnType<Neighbours["size"]>,
): Promise<HnswNeighbours> {
  // hnswlib reads an empty graph as one that can never grow, and ends the process when it tries.
  if (size.stored === 0) return createHnswNeighbours(dimensions);
  const graph = new hnswlib.HierarchicalNSW("ip", dimensions);
  await graph.readIndex(file);
  if (graph.getCurrentCount() !== size.stored) throw new RangeError("The graph is not of the stated size.");
  return wrap(graph, dimensions, size.removed);
}

/** How `createIndexCache` stores them. */
export function hnswFormat(dimensions: number): StoredNeighbours<HnswNeighbours> {
  return {
    parameters: hnswParameters,
    read: (file, size) => readHnswNeighbours(file, dimensions, size),
  };
}

/** An approximate index that can be written to a file. */
export type HnswNeighbours = ReturnType<typeof createHnswNeighbours>;

function wrap(graph: hnswlib.HierarchicalNSW, dimensions: number, removedBefore: number) {
  let removed = removedBefore;
  const neighbours: Neighbours = {
    add(label, vector) {
      if (graph.getCurrentCount() >= graph.getMaxElements()) {
        graph.resizeIndex(Math.ceil(graph.getMaxElements() * GROWTH));
      }
      graph.addPoint(Array.from(vector), label);
    },
    remove(label) {
      graph.markDelete(label);
      removed++;
    },
    vectorOf(label) {
      try {
        return graph.getPoint(label);
      } catch {
        return undefined;
      }
    },
    search(vector, count) {
      const known = Math.min(count, graph.getCurrentCount());
      if (known === 0) return [];
      graph.setEf(Math.max(SEARCH_WIDTH, known));
      const found = graph.searchKnn(Array.from(vector), known);
      return found.neighbors.map((label, at) => ({ label, cosine: 1 - (found.distances[at] ?? 1) }));
    },
    size: () => ({ stored: graph.getCurrentCount(), removed }),
    // Per vector: its floats, links of the lowest level, label and counters, a share of the upper levels, lock, table entry.
    memoryBytes: () => graph.getCurrentCount() * (dimensions * 4 + hnswParameters.m * 8 + 12 + 110),
  };
  return {
    ...neighbours,
    /** Writes the graph into a file; nothing may be added or removed meanwhile, searching is fine. */
    async write(file: string): Promise<void> {
      await graph.writeIndex(file);
    },
  };
}
