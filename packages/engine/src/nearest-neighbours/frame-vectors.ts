import type { Neighbour } from "./frame-searcher.ts";
import type { LabelRange } from "./label-ranges.ts";

/**
 * Vectors of frames, each with a label: `createFrameSegments` and `createFrameGraph` for frames,
 * `createBinaryNeighbours` for regions of frames.
 */
export type FrameVectors = {
  /** Stores the int8 vectors of an episode, frame by frame; searches return them after `show`. */
  add(vectors: Int8Array): Promise<LabelRange>;
  show(range: LabelRange): void;
  /** Improves searches after `frames` frames were added. */
  refine(frames: number): Promise<void>;
  /** Hides frames immediately; resolves when their memory is free. */
  remove(range: LabelRange): Promise<void>;
  /** Returns the most similar frames of each view (a unit vector), best first, at most `count`. */
  search(
    views: readonly Float32Array[],
    options: { count: number; ranges?: readonly LabelRange[] | undefined },
  ): Neighbour[][];
  /** Returns the unit vector of a label; undefined when it is not stored. */
  vectorOf(label: number): Float32Array | undefined;
  stats(): { memoryBytes: number };
  /** Closes the files of the implementation. */
  close?(): void;
};

/** Returns the dot product; for two unit vectors, their cosine. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.min(a.length, b.length);
  let sum = 0;
  for (let at = 0; at < length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
