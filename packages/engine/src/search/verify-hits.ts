import type { FrameView } from "../frame-index/frame-view.ts";
import { frameKeyOf, shotKeyOf } from "../frame-index/hit.ts";
import type { ImageDescription } from "../image/image-description.ts";
import type { ScoreWeights } from "../model/score-weights.ts";
import { findBestFrame, REACH } from "../pinpoint/refine-frame.ts";
import type { VerifiedHit } from "../pinpoint/verified-hit.ts";
import type { AlignmentHypothesis } from "../verification/find-alignments.ts";
import type { Alignment, AlignmentInput, Verifier } from "../verification/verifier.ts";
import { type Candidate, pickCandidates } from "./candidates.ts";
import { coarseScore, scoreMatch, textFactorOf } from "./score-match.ts";

/** Frames that are aligned coarsely; the number grows with the views of the image. */
const COARSE_ALIGNMENTS = { least: 10, perView: 2, most: 32 };
/** Frames of these that are aligned finely. */
const ALIGNMENTS = 12;
/**
 * Log odds of the coarse alignment below which a frame is not aligned finely, and probability below which no other frame
 * of its shot is tried. Measured on edited images: docs/decisions/verification.md.
 */
const LEAST_COARSE_SCORE = 5.75;
const LEAST_REFINED = 0.01;
/** Part of these numbers for an image without its whole view: a search has two passes over the further views. */
const FURTHER_SHARE = 0.5;
/** Best shots of these that are searched for a frame with better agreement. */
const REFINEMENTS = 4;
const REFINEMENT_STEPS = 3;
/** From this probability on, only frames that are as similar as the best one are compared. */
const CERTAIN = 0.97;
const CERTAIN_GAP = 0.03;

type VerificationOptions = {
  verifier: Verifier;
  scoreWeights: ScoreWeights;
  image: ImageDescription;
  /** Returns the stored thumbnail of a hit's frame. */
  thumbnailOf: (hit: VerifiedHit) => Uint8Array | undefined;
  load: FrameView["load"];
  /** Returns the cosine of a hit's frame and view. */
  cosineOf: (hit: VerifiedHit) => number;
  /** Awaited after each frame, so that other calls can run. */
  yieldNow: () => Promise<void> | undefined;
};

/** A frame, one of the image's views, and the alignment hypotheses of both. */
type CoarseMatch = {
  hit: VerifiedHit;
  input: AlignmentInput;
  hypotheses: AlignmentHypothesis[];
  coarseScore: number;
};

/** A verified hit, and the alignment of its frame with the image if there is one. */
type AlignedHit = { hit: VerifiedHit; input: AlignmentInput; alignment?: Alignment };

/**
 * Verifies the most promising frames by aligning them with the image. The best are replaced by frames of
 * their shots with better agreement: descriptors propose at most two frames of a shot, and for a part of the
 * scene these are almost random. Unverified hits are returned too, without a verification.
 */
export async function verifyHits(
  hits: readonly VerifiedHit[],
  options: VerificationOptions,
): Promise<VerifiedHit[]> {
  const { scoreWeights, image, thumbnailOf, cosineOf, verifier, yieldNow } = options;
  const coarseMatches = await alignCoarsely(await createInputs(hits, options), options);
  const found = new Map<number, AlignedHit>();
  let best: AlignedHit | undefined;
  const add = (candidate: AlignedHit) => {
    const other = found.get(frameKeyOf(candidate.hit));
    if (other === undefined || similarityOf(candidate) > similarityOf(other))
      found.set(frameKeyOf(candidate.hit), candidate);
    if (best === undefined || similarityOf(candidate) > similarityOf(best)) best = candidate;
  };
  for (const match of coarseMatches.slice(0, ALIGNMENTS * shareOf(image))) {
    const isLost = best !== undefined && isCertain(best) && match.hit.cosine < best.hit.cosine - CERTAIN_GAP;
    if (isLost) continue;
    add(match.coarseScore < LEAST_COARSE_SCORE ? refuse(match) : alignHit(match));
    await yieldNow();
  }
  const likely = [...found.values()].filter((candidate) => similarityOf(candidate) >= LEAST_REFINED);
  const refined = bestOfShots(likely, best !== undefined && isCertain(best) ? 1 : REFINEMENTS);
  await options.load(
    refined.map(({ hit }) => hit),
    REACH * REFINEMENT_STEPS,
  );
  for (const candidate of refined) {
    found.delete(frameKeyOf(candidate.hit));
    add(refineLocally(candidate));
    await yieldNow();
  }
  return [...[...found.values()].map(({ hit }) => hit), ...hits.filter((hit) => !found.has(frameKeyOf(hit)))];

  /** A hit without an alignment. */
  function refuse({ hit, input }: Pick<CoarseMatch, "hit" | "input">): AlignedHit {
    const { isMirrored } = input.view;
    const verification = { similarity: 0, region: null, isMirrored, features: null };
    return { hit: { ...hit, verification }, input };
  }

  function alignHit(match: Omit<CoarseMatch, "coarseScore">): AlignedHit {
    const { hit, input, hypotheses } = match;
    const alignment = verifier.align(input, hypotheses);
    if (alignment === undefined) return refuse(match);
    const { evidence, projection, region, isMirrored } = alignment;
    const coverage = verifier.coverageOf(projection, input.view);
    const features = { ...evidence, coverage, cosine: hit.cosine };
    const textFactor = textFactorOf(evidence, () => verifier.plainShareOf(region));
    const similarity = scoreMatch(scoreWeights, features) * textFactor;
    const verification = { similarity, region, isMirrored, features, projection };
    return { hit: { ...hit, verification }, input, alignment };
  }

  /**
   * Replaces the frame by the frame of its shot that agrees best until none is better; its own alignment may
   * be better still.
   */
  function refineLocally(start: AlignedHit): AlignedHit {
    let candidate = start;
    for (let step = 0; step < REFINEMENT_STEPS && candidate.alignment !== undefined; step++) {
      const { hit, input, alignment } = candidate;
      const frame = findBestFrame(hit, thumbnailOf, verifier.createComparison(input, alignment));
      if (frame === hit.frame) break;
      const next = { ...hit, frame };
      const thumbnail = thumbnailOf(next);
      if (thumbnail === undefined) break;
      const nextInput = { ...input, thumbnail };
      const again = alignHit({
        hit: { ...next, cosine: cosineOf(next) },
        input: nextInput,
        hypotheses: verifier.alignCoarsely(nextInput),
      });
      if (similarityOf(again) < similarityOf(candidate)) return { ...candidate, hit: next };
      candidate = again;
    }
    return candidate;
  }
}

/** Returns the part of the usual number of alignments for an image. */
export function shareOf({ views }: ImageDescription): number {
  return views[0]?.region === null ? 1 : FURTHER_SHARE;
}

function similarityOf({ hit }: AlignedHit): number {
  return hit.verification?.similarity ?? 0;
}

function isCertain(candidate: AlignedHit): boolean {
  return similarityOf(candidate) >= CERTAIN;
}

/** Returns the best frame of each of the best `count` shots. */
function bestOfShots(candidate: Iterable<AlignedHit>, count: number): AlignedHit[] {
  const best = new Map<string, AlignedHit>();
  for (const one of candidate) {
    const shot = shotKeyOf(one.hit);
    const other = best.get(shot);
    if (other === undefined || similarityOf(one) > similarityOf(other)) best.set(shot, one);
  }
  return [...best.values()].sort((a, b) => similarityOf(b) - similarityOf(a)).slice(0, count);
}

/** All thumbnails are read at once: labels may change while other calls run. */
async function createInputs(hits: readonly VerifiedHit[], { image, thumbnailOf, load }: VerificationOptions) {
  const { least, perView, most } = COARSE_ALIGNMENTS;
  const limit = Math.min(most, least + perView * image.views.length) * shareOf(image);
  const candidates = pickCandidates(hits, limit);
  await load(candidates.map(({ hit }) => hit));
  return listInputs(candidates, image, thumbnailOf);
}

/** Returns each candidate with each of its views; none without a thumbnail. */
export function listInputs(
  candidates: readonly Candidate[],
  image: ImageDescription,
  thumbnailOf: (hit: VerifiedHit) => Uint8Array | undefined,
): Pick<CoarseMatch, "hit" | "input">[] {
  return candidates.flatMap(({ hit, views }) => {
    const thumbnail = thumbnailOf(hit);
    if (thumbnail === undefined) return [];
    return views.flatMap(({ view: at, cosine }) => {
      const view = image.views[at];
      if (view === undefined) return [];
      const { aspect } = hit.episode.table;
      return [{ hit: { ...hit, view: at, cosine }, input: { thumbnail, aspect, view } }];
    });
  });
}

/** Aligns frames or regions coarsely; returns them best first. */
export async function alignCoarsely(
  inputs: readonly Pick<CoarseMatch, "hit" | "input">[],
  { verifier, scoreWeights, yieldNow }: Pick<VerificationOptions, "verifier" | "scoreWeights" | "yieldNow">,
): Promise<CoarseMatch[]> {
  const matches: CoarseMatch[] = [];
  for (const { hit, input } of inputs) {
    const hypotheses = verifier.alignCoarsely(input);
    const score = coarseScore(scoreWeights, hit.cosine, hypotheses[0]?.score ?? 0);
    matches.push({ hit, input, hypotheses, coarseScore: score });
    await yieldNow();
  }
  return matches.sort((a, b) => b.coarseScore - a.coarseScore);
}
