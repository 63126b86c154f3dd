/** A stored frame: its episode and its place among the kept frames of it, from 0. */
export type FrameRef = { episodeKey: string; frame: number };

/** A stored frame and the cosine of its vector and a view's. */
export type NearestFrame = FrameRef & { cosine: number };

export type VectorSearchOptions = {
  /** Frames per view. */
  count: number;
  /** Only frames of these episodes. */
  episodeKeys?: ReadonlySet<string> | undefined;
};

/**
 * Nearest neighbours among the vectors of all episodes' frames. Implementations share one conformance suite
 * (test/vector-index/conformance.ts). A search sees all frames of an episode or none; it may run during every other call.
 */
export type VectorIndex = {
  /**
   * Adds an episode, or replaces it; resolves when searches find it. `vectors`: int8, frame by frame; their lengths do
   * not matter. Throws RangeError for another number of dimensions and for an index that is full.
   */
  add(episodeKey: string, vectors: Int8Array): Promise<void>;
  /** Removes an episode; resolves when no search finds it. Nothing happens when it is not there. */
  remove(episodeKey: string): Promise<void>;
  /** For each view (a unit vector), the nearest frames, best first; equal ones in the order in which they were added. */
  search(views: readonly Float32Array[], options: VectorSearchOptions): Promise<NearestFrame[][]>;
  /** Unit vectors of stored frames; undefined for one that is not there. */
  vectorsOf(frames: readonly FrameRef[]): Promise<(Float32Array | undefined)[]>;
  stats(): Promise<{ frames: number; episodes: number; memoryBytes: number }>;
  close(): Promise<void>;
};
