import type { Anime, EpisodeLabel } from "@koma/database";
import type { Scene } from "@koma/engine";

/** A shot of another occurrence of a scene. Times are in seconds with three decimals. */
export type Occurrence = { episode: LibraryMatch["episode"]; from: number; to: number };

/**
 * A scene of the library that resembles the image. Times are in seconds with three decimals, `from <=
 * timestamp <= to`.
 */
export type LibraryMatch = Pick<
  Scene,
  "score" | "similarity" | "isConfident" | "isMirrored" | "region" | "features"
> & {
  /** 1 is the best. */
  rank: number;
  anime: Anime;
  episode: {
    id: string;
    season: number | null;
    /** "3", "13.5", "OVA 2", "1-2" */
    number: string | null;
    title: string | null;
    /** False for an episode of a pack, which has no clips and no exact stills. Default: true. */
    hasVideo?: boolean | undefined;
  };
  /** Base name of the video file. */
  fileName: string;
  durationSeconds: number;
  timestamp: number;
  from: number;
  to: number;
  /**
   * The bounds of the frames that look like the one at the timestamp, `from <= looksSameFrom <= timestamp <=
   * looksSameTo <= to`; null for an episode that was described before its grey values were stored.
   */
  looksSameFrom: number | null;
  looksSameTo: number | null;
  /** The named part of the episode that contains the timestamp; null: none is known. */
  label: EpisodeLabel["label"] | null;
  /** The number of episodes with the same content, of which this is the earliest; null: no other episode. */
  recurring: { episodes: number } | null;
  /** Other occurrences of the same content, at most 20: reused shots, openings of other episodes. */
  otherOccurrences: Occurrence[];
};
