import type { Region } from "../picture/picture-description.ts";

/** A place in the indexed films that looks like the picture. Times in seconds. */
export type Scene = {
  episodeKey: string;
  /** Time of the most similar kept frame. */
  atSeconds: number;
  /** First and last frame of its shot. */
  fromSeconds: number;
  toSeconds: number;
  /** Calibrated probability, 0..1, never rising with the rank. */
  similarity: number;
  isConfident: boolean;
  isMirrored: boolean;
  /** The part of the picture that is the scene; null when it is all of it. */
  region: Region | null;
};
