import type { ImageDescription } from "../image/image-description.ts";
import type { Hit } from "./hit.ts";

export type NearestOptions = {
  /** Frames per view. */
  count: number;
  /** Indices of the searched views of the image; all by default. */
  views?: readonly number[];
  /** Limits the search to frames of these episodes. */
  episodeKeys?: ReadonlySet<string> | undefined;
};

/** The frames of an index, or their regions, as one search sees them. */
export type FrameView = {
  /** Returns the nearest frames of the views of an image. */
  findHits(image: ImageDescription, options: NearestOptions): Hit[] | Promise<Hit[]>;
  /** True when a search for more frames than `count` can return further ones. */
  hasMore(count: number): boolean;
  /**
   * Returns the `count` nearest frames of the frame of a hit, best first, down to a cosine; none when the
   * frame was removed.
   */
  findSimilar(hit: Hit, o: Omit<NearestOptions, "views"> & { leastCosine: number }): Hit[] | Promise<Hit[]>;
  /**
   * Reads the frames, and `reach` frames of the same shot before and after each, for `vectorOf` and
   * `thumbnailOf`.
   */
  load(hits: readonly Hit[], reach?: number): Promise<void> | undefined;
  /** Returns undefined when the frame was removed. */
  vectorOf(hit: Hit): Float32Array | undefined;
  thumbnailOf(hit: Hit): Uint8Array | undefined;
  /** Reads the strips of the shots of the hits for `stripsOf`, at once. */
  loadStrips(hits: readonly Hit[]): Promise<void> | undefined;
  /** Returns the strips of the shot of a hit, in order of time; none where they are not stored. */
  stripsOf(hit: Hit): readonly Uint8Array[];
};

/** Frames and their regions; one search opens both at the same time. */
export type FrameViews = {
  frames: FrameView;
  /** Searched when whole frames find no certain match. */
  regions: FrameView;
  /** Returns the frame of a region; undefined when it was removed. */
  frameOf(region: Hit): Hit | undefined;
};
