import type { Region } from "../image/image-description.ts";
import type { MatchFeatures } from "./score-match.ts";

/** Where a scene is. Times in seconds. */
export type SceneLocation = {
  episodeKey: string;
  /** When the most similar kept frame was seen: the middle of the time that it stands for. */
  atSeconds: number;
  /** First and last frame of its shot. */
  fromSeconds: number;
  toSeconds: number;
};

/** A place in the indexed films that looks like the picture. */
export type Scene = SceneLocation & {
  /** Calibrated probability, 0..1, never rising with the rank. */
  similarity: number;
  isConfident: boolean;
  isMirrored: boolean;
  /** The part of the picture that is the scene; null when it is all of it. */
  region: Region | null;
  /** The same content in other episodes (an opening, say), each once; these are no scenes of their own. Null: nowhere else. */
  recurring: SceneLocation[] | null;
  /** Other shots of any episode with the same content, most similar first, at most 20. */
  otherOccurrences: SceneLocation[];
  /** What the similarity rests on; null when the frame could not be laid over the picture. */
  features: MatchFeatures | null;
};
