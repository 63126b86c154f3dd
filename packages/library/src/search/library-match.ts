import type { Anime } from "@koma/database";
import type { Scene } from "@koma/engine";

/** A shot of an episode in which a scene is shown again. Times in seconds with three decimals. */
export type Occurrence = { episode: LibraryMatch["episode"]; from: number; to: number };

/**
 * A scene of the engine with its anime and episode. Times in seconds with three decimals,
 * `from <= timestamp <= to`.
 */
export type LibraryMatch = Pick<
  Scene,
  "similarity" | "isConfident" | "isMirrored" | "region" | "features"
> & {
  /** 1 for the best. */
  rank: number;
  anime: Anime;
  episode: {
    id: string;
    season: number | null;
    /** "3", "13.5", "OVA 2", "1-2" */
    number: string | null;
    title: string | null;
  };
  /** Base name of the film file. */
  fileName: string;
  durationSeconds: number;
  timestamp: number;
  from: number;
  to: number;
  /** The same content stands in that many episodes, of which this is the earliest; null: nowhere else. */
  recurring: { episodes: number } | null;
  /** Other places with the same content, at most 20: shots that are used again, openings of other episodes. */
  otherOccurrences: Occurrence[];
};
