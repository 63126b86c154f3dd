import type { FrameView } from "../frame-index/frame-view.ts";
import { type Hit, shotKeyOf } from "../frame-index/hit.ts";
import { createThumbnailLikeness } from "../verification/thumbnail-likeness.ts";

/** Frames of an opening differ by their sampled times and by the names written over them. */
const LEAST_LIKENESS = 0.75;
export const LEAST_RECURRENCE_COSINE = 0.8;
/** Frames of another shot that are compared with the frame of the hit. */
const TRIES_PER_SHOT = 3;

type Search = {
  /** Stored frames of at least LEAST_RECURRENCE_COSINE to the frame of a hit, best first. */
  neighboursOf: (hit: Hit) => Promise<readonly Hit[]>;
  load: FrameView["load"];
  thumbnailOf: (hit: Hit) => Uint8Array | undefined;
};

/**
 * Finds further occurrences of the content of a frame (openings, endings, recaps, reused shots, a returning
 * camera): the most similar frame of each other shot with a similar thumbnail, most similar first.
 */
export async function findRecurrences(hit: Hit, { neighboursOf, load, thumbnailOf }: Search): Promise<Hit[]> {
  await load([hit]);
  const thumbnail = thumbnailOf(hit);
  if (thumbnail === undefined) return [];
  const likeness = createThumbnailLikeness();
  const found = new Map<string, Hit>();
  const triesOf = new Map<string, number>([[shotKeyOf(hit), TRIES_PER_SHOT]]);
  const compared = (await neighboursOf(hit)).filter((other) => {
    const shot = shotKeyOf(other);
    const tries = triesOf.get(shot) ?? 0;
    triesOf.set(shot, tries + 1);
    return tries < TRIES_PER_SHOT;
  });
  await load(compared);
  for (const other of compared) {
    const shot = shotKeyOf(other);
    const otherThumbnail = found.has(shot) ? undefined : thumbnailOf(other);
    if (otherThumbnail === undefined || likeness(thumbnail, otherThumbnail) < LEAST_LIKENESS) continue;
    found.set(shot, other);
  }
  return [...found.values()];
}
