import type { Region } from "../image/image-description.ts";
import type { MatchFeatures } from "../verification/match-features.ts";

/** The location of a scene. Times are in seconds. */
export type SceneLocation = {
  episodeKey: string;
  /** Time of the most similar stored frame: the middle of the time that it represents. */
  atSeconds: number;
  /** First and last frame of its shot. */
  fromSeconds: number;
  toSeconds: number;
  /** First and last time of the run of frames that look like the best one; null where that is not known. */
  looksSameFrom: number | null;
  looksSameTo: number | null;
};

/** A location in the indexed videos that resembles the image. */
export type Scene = SceneLocation & {
  /** Probability of the scene by its own measurements, 0..1, which never increases with the rank. */
  score: number;
  /** Calibrated probability, which considers the scenes of other episodes; it never increases either. */
  similarity: number;
  isConfident: boolean;
  isMirrored: boolean;
  /** The part of the image that shows the scene; null for the whole image. */
  region: Region | null;
  /**
   * The same content in other episodes (for example an opening), each once; these are not returned as scenes.
   * Null: no other episode.
   */
  recurring: SceneLocation[] | null;
  /** Other shots of any episode with the same content, most similar first, at most 20. */
  otherOccurrences: SceneLocation[];
  /** The measurements behind the similarity; null when the frame could not be aligned with the image. */
  features: MatchFeatures | null;
};
