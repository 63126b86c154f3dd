/** A stretch of film between two cuts: times of its first and its last delivered frame, in seconds. */
export type Shot = { fromSeconds: number; toSeconds: number };

/**
 * What is kept of an episode: `count` frames in order of time, each with the shot it belongs to and its descriptor.
 * Vectors are unit length, quantised to int8 with one scale per frame: component = vectors[i * dimensions + k] * scales[i].
 */
export type EpisodeDescriptors = {
  modelId: string;
  /** Width of the film on the screen divided by its height. */
  aspect: number;
  count: number;
  /** `count` times in seconds from the start of the container, ascending. */
  atSeconds: Float64Array;
  /** `count` indices into `shots`. */
  shotOf: Uint32Array;
  shots: Shot[];
  /** `count * dimensions` values, frame by frame. */
  vectors: Int8Array;
  /** `count` factors. */
  scales: Float32Array;
  /** `count` small pictures of 480 bytes each, as `writeFrameThumbnail` makes them. */
  thumbnails: Uint8Array;
  /** The same of the regions of some frames; missing in sets that were stored before regions were described. */
  regions?: RegionDescriptors | undefined;
};

/**
 * Descriptors of the regions of some frames, `frameRegions.length` entries per frame, each with the frame's time and shot: a
 * region is stored as a frame of its own.
 */
export type RegionDescriptors = Omit<EpisodeDescriptors, "regions">;
