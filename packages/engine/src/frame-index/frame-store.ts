import type { ThumbnailLocation } from "../episode/descriptor-codec.ts";
import type { StripLocation } from "../episode/strip-chunks.ts";
import type { PackedFrames } from "./packed-frames.ts";

/** The two kinds of vectors of an index: whole frames, and regions of frames. */
export type VectorKind = "frames" | "regions";

export type NearestRequest = {
  kind: VectorKind;
  /** Unit vectors in the order of their principal axes. */
  vectors: readonly Float32Array[];
  /** Frames per vector. */
  count: number;
  /** Frames of lower cosines are omitted. */
  leastCosine: number;
  /** Limits the search to these episodes; null for all. */
  episodeKeys: readonly string[] | null;
};

/** Frames or regions of one shot, by their numbers. */
export type StoredRange = { episodeId: number; shot: number; first: number; last: number };

/** A shot of an episode. */
export type StoredShot = { episodeId: number; shot: number };

/** The vectors and locations of one episode as a store keeps them, without its thumbnails and strips. */
export type StoredEpisode = {
  aspect: number;
  frameCount: number;
  rows: Record<VectorKind, StoredRow[]>;
  /** In order of time; none in episodes that were stored before there were strips. */
  strips: StripLocation[];
};

/**
 * A frame or region of an episode; `number` is its place in its table of the episode, and the thumbnail is at this byte
 * of this chunk of the descriptors.
 */
export type StoredRow = ThumbnailLocation & {
  number: number;
  /** The number of the frame: of a region, of the frame that contains it. */
  frame: number;
  shot: number;
  atSeconds: number;
  /** The time of the next stored frame of the shot; null for the last one and for regions. */
  nextAtSeconds: number | null;
  fromSeconds: number;
  toSeconds: number;
  vector: Float32Array;
};

/** The searches of a database that holds the vectors of all frames. Each is one round trip. */
export type FrameStore = {
  /** Returns the pairs of frame and vector (`unpackPairs`), and the frames in them, each once. */
  findNearest(request: NearestRequest): Promise<PackedFrames & { pairs: Uint8Array }>;
  /** Returns the frames of the ranges that are still stored, with their thumbnails. */
  readFrames(kind: VectorKind, ranges: readonly StoredRange[]): Promise<PackedFrames>;
  /** Returns the strips of the shots, those of one shot in order of time. */
  readStrips(shots: readonly StoredShot[]): Promise<(StoredShot & { bytes: Uint8Array })[]>;
};
