import { createThumbnailLikeness } from "../verification/thumbnail-likeness.ts";
import type { Neighbour } from "./neighbours.ts";
import type { Hit } from "./scene-grouping.ts";

/** Frames of an opening differ by when they were kept, and by names written over them. */
const LEAST_LIKENESS = 0.75;
const LEAST_COSINE = 0.8;

type Search = {
  /** Stored frames near to that of a hit, best first. */
  neighboursOf: (hit: Hit) => readonly Neighbour[];
  toHit: (neighbour: Neighbour) => Hit | undefined;
  thumbnailOf: (hit: Hit) => Uint8Array | undefined;
};

/**
 * Where the content of a frame stands in other episodes (openings, endings, recaps): the most similar frame of each, if its thumbnail is
 * like this one's.
 */
export function findRecurrences(hit: Hit, { neighboursOf, toHit, thumbnailOf }: Search): Hit[] {
  const thumbnail = thumbnailOf(hit);
  if (thumbnail === undefined) return [];
  const likeness = createThumbnailLikeness();
  const found = new Map<string, Hit>();
  for (const neighbour of neighboursOf(hit)) {
    if (neighbour.cosine < LEAST_COSINE) break;
    const other = toHit(neighbour);
    if (other === undefined || other.episode.key === hit.episode.key || found.has(other.episode.key))
      continue;
    const otherThumbnail = thumbnailOf(other);
    if (otherThumbnail === undefined || likeness(thumbnail, otherThumbnail) < LEAST_LIKENESS) continue;
    found.set(other.episode.key, other);
  }
  return [...found.values()];
}
