import type { Shot } from "../episode/episode-descriptors.ts";

/**
 * Times and shots of the frames of an episode, by the number of the frame; `count` frames. An index that
 * reads single frames from a database has only those that a search has read.
 */
export type FrameLocations = {
  aspect: number;
  count: number;
  atSeconds: ArrayLike<number>;
  shotOf: ArrayLike<number>;
  shots: ArrayLike<Shot>;
};

/** A frame that is similar to one of the views of the image. */
export type Hit = {
  episode: { key: string; table: FrameLocations; firstLabel: number };
  /** Index into the episode's table. */
  frame: number;
  /** Index into the views of the image. */
  view: number;
  cosine: number;
};

/** Identifies the frame of a hit among those of one search. It is a number: thousands of hits are compared. */
export function frameKeyOf({ episode, frame }: Pick<Hit, "episode" | "frame">): number {
  return episode.firstLabel + frame;
}

/** Identifies the shot of a hit among those of one search. A number would have too few bits for labels of a database. */
export function shotKeyOf({ episode, frame }: Pick<Hit, "episode" | "frame">): string {
  return `${episode.firstLabel}/${episode.table.shotOf[frame] ?? 0}`;
}
