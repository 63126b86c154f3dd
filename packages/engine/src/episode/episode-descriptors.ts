import type { EpisodeStrips } from "../strips/strip-builder.ts";

/** A run of frames between two cuts: times of its first and its last frame, in seconds. */
export type Shot = { fromSeconds: number; toSeconds: number };

/**
 * The stored descriptors of an episode: `count` frames in order of time, each with its shot and its
 * descriptor. Vectors have unit length and are quantised to int8 with one scale per frame: component =
 * vectors[i * dimensions + k] * scales[i].
 */
export type EpisodeDescriptors = {
  modelId: string;
  /** Display aspect ratio of the video: width divided by height. */
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
  /** `count` thumbnails of 480 bytes each, as `writeFrameThumbnail` writes them. */
  thumbnails: Uint8Array;
  /**
   * Descriptors of the regions of some frames; missing in episodes that were stored before regions were
   * described.
   */
  regions?: RegionDescriptors | undefined;
  /** The grey values of all sampled frames; missing in episodes that were stored before there were strips. */
  strips?: EpisodeStrips | undefined;
};

/**
 * Descriptors of the regions of some frames, `frameRegions.length` entries per frame, each with the time and
 * shot of the frame: a region is stored like a frame.
 */
export type RegionDescriptors = Omit<EpisodeDescriptors, "regions" | "strips">;
