import type { ImageDescription } from "../image/image-description.ts";
import type { AlignmentHypothesis } from "../verification/find-alignments.ts";
import { type Alignment, createVerifier, type Question } from "../verification/verifier.ts";
import { pickCandidates } from "./candidates.ts";
import { findBestFrame } from "./refine-frame.ts";
import type { Hit } from "./scene-grouping.ts";
import { coarseScore, type ScoreWeights, scoreMatch } from "./score-match.ts";

/** Frames that are glanced at: more where the picture is seen in many ways. */
const COARSE_ALIGNMENTS = { least: 10, perView: 2, most: 32 };
/** Of these, so many are aligned with the picture. */
const ALIGNMENTS = 12;
/** Of these, the shots of the best are searched for a frame that agrees better. */
const REFINEMENTS = 4;
const REFINEMENT_STEPS = 3;
/** From this probability on, only frames that are as similar as the best one are looked at. */
const CERTAIN = 0.97;
const CERTAIN_GAP = 0.03;

type VerificationOptions = {
  scoreWeights: ScoreWeights;
  image: ImageDescription;
  /** The stored thumbnail of a hit's frame. */
  thumbnailOf: (hit: Hit) => Uint8Array | undefined;
  /** Cosine of a hit's frame and view. */
  cosineOf: (hit: Hit) => number;
  /** Awaited after each frame: others get their turn. */
  turn: () => Promise<void> | undefined;
};

/** A frame seen in one of the picture's views, and where in it. */
type CoarseMatch = { hit: Hit; question: Question; hypotheses: AlignmentHypothesis[]; promise: number };

/** A hit with its verdict, and where the frame lies in the picture, if anywhere. */
type AlignedHit = { hit: Hit; question: Question; alignment?: Alignment };

/**
 * Lays the most promising frames over the picture and gives each a verdict; the best give way to frames of their shots that agree better:
 * descriptors propose two of a shot at most, by a part of the scene almost at random. What is left unverified is given too, without one.
 */
export async function verifyHits(hits: readonly Hit[], options: VerificationOptions): Promise<Hit[]> {
  const { scoreWeights, image, thumbnailOf, cosineOf, turn } = options;
  if (image.grey === null) return [...hits];
  const verifier = createVerifier(image.grey);
  const coarseMatches: CoarseMatch[] = [];
  for (const { hit, question } of findQuestions(hits, options)) {
    const hypotheses = verifier.alignCoarsely(question);
    coarseMatches.push({
      hit,
      question,
      hypotheses,
      promise: coarseScore(scoreWeights, hit.cosine, hypotheses[0]?.score ?? 0),
    });
    await turn();
  }
  coarseMatches.sort((a, b) => b.promise - a.promise);
  const found = new Map<string, AlignedHit>();
  let best: AlignedHit | undefined;
  const add = (candidate: AlignedHit) => {
    const other = found.get(frameKey(candidate.hit));
    if (other === undefined || similarityOf(candidate) > similarityOf(other))
      found.set(frameKey(candidate.hit), candidate);
    if (best === undefined || similarityOf(candidate) > similarityOf(best)) best = candidate;
  };
  for (const { hit, question, hypotheses } of coarseMatches.slice(0, ALIGNMENTS)) {
    const isLost = best !== undefined && isCertain(best) && hit.cosine < best.hit.cosine - CERTAIN_GAP;
    if (isLost) continue;
    add(alignHit(hit, question, hypotheses));
    await turn();
  }
  for (const candidate of bestOfShots(
    found.values(),
    best !== undefined && isCertain(best) ? 1 : REFINEMENTS,
  )) {
    found.delete(frameKey(candidate.hit));
    add(refineLocally(candidate));
    await turn();
  }
  return [...[...found.values()].map(({ hit }) => hit), ...hits.filter((hit) => !found.has(frameKey(hit)))];

  function alignHit(hit: Hit, question: Question, hypotheses: readonly AlignmentHypothesis[]): AlignedHit {
    const alignment = verifier.align(question, hypotheses);
    if (alignment === undefined) {
      const { isMirrored } = question.view;
      return {
        hit: { ...hit, verification: { similarity: 0, region: null, isMirrored, features: null } },
        question,
      };
    }
    const { region, isMirrored } = alignment;
    const features = { ...alignment.evidence, cosine: hit.cosine };
    const verification = { similarity: scoreMatch(scoreWeights, features), region, isMirrored, features };
    return { hit: { ...hit, verification }, question, alignment };
  }

  /** Goes to the frame of the shot that agrees best, as long as there is a better one; its own place in the picture may be better still. */
  function refineLocally(start: AlignedHit): AlignedHit {
    let candidate = start;
    for (let step = 0; step < REFINEMENT_STEPS && candidate.alignment !== undefined; step++) {
      const { hit, question, alignment } = candidate;
      const frame = findBestFrame(hit, thumbnailOf, verifier.createComparison(question, alignment));
      if (frame === hit.frame) break;
      const next = { ...hit, frame };
      const thumbnail = thumbnailOf(next);
      if (thumbnail === undefined) break;
      const nextQuestion = { ...question, thumbnail };
      const again = alignHit(
        { ...next, cosine: cosineOf(next) },
        nextQuestion,
        verifier.alignCoarsely(nextQuestion),
      );
      if (similarityOf(again) < similarityOf(candidate)) return { ...candidate, hit: next };
      candidate = again;
    }
    return candidate;
  }
}

function similarityOf({ hit }: AlignedHit): number {
  return hit.verification?.similarity ?? 0;
}

function isCertain(candidate: AlignedHit): boolean {
  return similarityOf(candidate) >= CERTAIN;
}

/** The best frame of each shot, the best `count` of them. */
function bestOfShots(candidate: Iterable<AlignedHit>, count: number): AlignedHit[] {
  const best = new Map<string, AlignedHit>();
  for (const one of candidate) {
    const { episode, frame } = one.hit;
    const shot = `${episode.firstLabel}/${episode.table.shotOf[frame] ?? 0}`;
    const other = best.get(shot);
    if (other === undefined || similarityOf(one) > similarityOf(other)) best.set(shot, one);
  }
  return [...best.values()].sort((a, b) => similarityOf(b) - similarityOf(a)).slice(0, count);
}

/** All thumbnails are read at once: labels may change when others get their turn. */
function findQuestions(hits: readonly Hit[], { image, thumbnailOf }: VerificationOptions) {
  const limit = Math.min(
    COARSE_ALIGNMENTS.most,
    COARSE_ALIGNMENTS.least + COARSE_ALIGNMENTS.perView * image.views.length,
  );
  return pickCandidates(hits, limit).flatMap(({ hit, views }) => {
    const thumbnail = thumbnailOf(hit);
    if (thumbnail === undefined) return [];
    return views.flatMap(({ view: at, cosine }) => {
      const view = image.views[at];
      if (view === undefined) return [];
      const { aspect } = hit.episode.table;
      return [{ hit: { ...hit, view: at, cosine }, question: { thumbnail, aspect, view } }];
    });
  });
}

function frameKey({ episode, frame }: Hit): string {
  return `${episode.firstLabel}:${frame}`;
}
