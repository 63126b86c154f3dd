import type { Neighbour } from "../vector-index/frame-searcher.ts";
import type { LabelRange } from "../vector-index/label-ranges.ts";

/**
 * Vectors of frames, each under a label. Two implementations: `createFrameLists` for frames and `createSignNeighbours` for
 * regions of frames.
 */
export type FrameVectors = {
  /** Stores the int8 vectors of an episode, frame by frame; searches find them after `show`. */
  add(vectors: Int8Array): Promise<LabelRange>;
  show(range: LabelRange): void;
  /** Improves searches after so many frames were added. */
  refine(frames: number): Promise<void>;
  /** Hides frames at once; resolves when their memory is free. */
  remove(range: LabelRange): Promise<void>;
  /** For each view (a unit vector), its most similar frames, best first, at most `count`. */
  search(
    views: readonly Float32Array[],
    options: { count: number; ranges?: readonly LabelRange[] | undefined },
  ): Neighbour[][];
  /** The unit vector of a label; undefined when there is none. */
  vectorOf(label: number): Float32Array | undefined;
  stats(): { memoryBytes: number };
  /** Ends the use of files, where there are any. */
  close?(): void;
};

/** Dot product; of two unit vectors, their cosine. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.min(a.length, b.length);
  let sum = 0;
  for (let at = 0; at < length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
