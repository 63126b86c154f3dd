import { type Model, readPrincipalAxes } from "../model/model.ts";
import {
  createFrameGraph,
  type FrameGraph,
  graphParameters,
  loadHnswlib,
  readFrameGraph,
} from "../nearest-neighbours/frame-graph.ts";
import { createFrameLists } from "../nearest-neighbours/frame-lists.ts";
import { createFrameSegments, type FrameSegments } from "../nearest-neighbours/frame-segments.ts";
import type { FrameVectors } from "../nearest-neighbours/frame-vectors.ts";
import type { LabelRange } from "../nearest-neighbours/label-ranges.ts";
import { readSnapshot, writeSnapshot } from "../nearest-neighbours/snapshot.ts";

/** The implementations of the nearest whole frames: lists of Koma, or the graph of hnswlib-node. */
export type FrameImplementationName = "lists" | "hnsw";

/** Vectors of whole frames in memory and in a file. `origin` identifies the origin of the vectors of a file. */
export type FrameImplementation<V extends FrameVectors> = {
  create(): V;
  /** Throws for a file that cannot be used. `used` are the labels of the episodes. */
  read(file: string, origin: string, used: readonly LabelRange[]): Promise<V>;
  /** The caller must not change the vectors during the call. */
  write(file: string, vectors: V, origin: string): Promise<void>;
};

/** Returns the lists, which are the default. */
export function createListImplementation(model: Model): FrameImplementation<FrameSegments> {
  const { dimensions } = model;
  const createLists = () => createFrameLists(dimensions, readPrincipalAxes(model));
  return {
    create: () => createFrameSegments(createLists),
    async read(file, origin) {
      const lists = await readSnapshot(file, dimensions, origin);
      if (lists === undefined) throw new RangeError("The snapshot cannot be used.");
      return createFrameSegments(createLists, { lists });
    },
    write: (file, segments, origin) => writeSnapshot(file, segments.lists(), origin),
  };
}

/** Returns the graph. Throws when hnswlib-node is not installed or not compiled. */
export async function createGraphImplementation({
  dimensions,
}: Model): Promise<FrameImplementation<FrameGraph>> {
  const hnswlib = await loadHnswlib();
  return {
    create: () => createFrameGraph(hnswlib, dimensions),
    read: (file, _origin, used) => readFrameGraph(hnswlib, file, dimensions, used),
    write: (file, graph) => graph.write(file),
  };
}

/** Identifies the form of the files of an implementation. */
export function describeFiles(implementation: FrameImplementationName): object {
  return implementation === "hnsw" ? { hnsw: graphParameters } : {};
}
