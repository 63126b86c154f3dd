import type { PictureDescription } from "../picture/picture-description.ts";
import { createVerifier } from "../verification/verifier.ts";
import { type Candidate, pickCandidates } from "./candidates.ts";
import { type Judgement, judge } from "./judge.ts";
import type { Hit } from "./scene-grouping.ts";

/** Frames that are looked at: more where the picture is seen in many ways. */
const CANDIDATES = { least: 10, perView: 2, most: 32 };
/** From this probability on, only frames that are as similar as the best one are looked at. */
const CERTAIN = 0.97;
const CERTAIN_GAP = 0.03;

type Verification = {
  judgement: Judgement;
  picture: PictureDescription;
  /** The stored thumbnail of a hit's frame. */
  thumbnailOf: (hit: Hit) => Uint8Array | undefined;
  /** Awaited after each frame: others get their turn. */
  turn: () => Promise<void> | undefined;
};

/**
 * Lays the most promising frames over the picture and gives each a verdict. What is left unverified is given too, without one.
 */
export async function verifyHits(hits: readonly Hit[], options: Verification): Promise<Hit[]> {
  const { judgement, picture, thumbnailOf, turn } = options;
  if (picture.grey === null) return [...hits];
  const verifier = createVerifier(picture.grey);
  const limit = Math.min(CANDIDATES.most, CANDIDATES.least + CANDIDATES.perView * picture.views.length);
  // Read before the first turn is given away: labels may change meanwhile.
  const candidates = pickCandidates(hits, limit).map((candidate) => ({
    ...candidate,
    thumbnail: thumbnailOf(candidate.hit),
  }));
  const verified: Hit[] = [];
  let best: Hit | undefined;
  for (const { thumbnail, ...candidate } of candidates) {
    const certain = best?.verdict?.similarity ?? 0;
    if (certain >= CERTAIN && candidate.hit.cosine < (best?.cosine ?? 0) - CERTAIN_GAP) continue;
    const hit = thumbnail === undefined ? candidate.hit : verifyOne(candidate, thumbnail);
    verified.push(hit);
    if ((hit.verdict?.similarity ?? 0) > (best?.verdict?.similarity ?? 0)) best = hit;
    await turn();
  }
  const known = new Set(verified.map(({ episode, frame }) => `${episode.firstLabel}:${frame}`));
  return [...verified, ...hits.filter(({ episode, frame }) => !known.has(`${episode.firstLabel}:${frame}`))];

  function verifyOne({ hit, views }: Candidate, thumbnail: Uint8Array): Hit {
    let found: Hit = { ...hit, verdict: { similarity: 0, region: null, isMirrored: false } };
    for (const { view: at, cosine } of views) {
      const view = picture.views[at];
      const alignment = view && verifier.verify(thumbnail, hit.episode.table.aspect, view);
      if (alignment === undefined) continue;
      const { evidence, region, isMirrored } = alignment;
      const similarity = judge(judgement, cosine, evidence);
      if (similarity <= (found.verdict?.similarity ?? 0)) continue;
      found = { ...hit, view: at, cosine, verdict: { similarity, region, isMirrored } };
    }
    return found;
  }
}
