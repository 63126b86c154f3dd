import { type ScoreWeights, scoreTerms } from "../model/score-weights.ts";
import type { Evidence } from "../verification/evidence.ts";
import type { MatchFeatures } from "../verification/match-features.ts";

const LARGEST_CORRELATION = 0.97;
/**
 * Cosine of a frame and its recompressed copy. A larger one carries no information and must not compensate
 * low agreement.
 */
const LARGEST_COSINE = 0.95;
const USUAL_DETAIL = 0.5;
/** Below this detail, for example in a gradient or beside text, agreement is most often accidental. */
const LEAST_DETAIL = 0.08;
const LOW_DETAIL_FACTOR = 0.05;
/** A page of text has at least one of these pairs. A title that is in the library correlates by more. */
const TEXT_PAGES = [
  { detail: 0.3, plainShare: 0.65 },
  { detail: 0.5, plainShare: 0.5 },
];
const MOST_TEXT_CORRELATION = 0.75;
const TEXT_FACTOR = 0.05;

/** Returns the terms of the log odds, in the order of `scoreTerms`. */
export function termsOf({
  cosine,
  inliers,
  outliers,
  coverage,
  ofFrame,
  ...evidence
}: MatchFeatures): number[] {
  return [
    Math.min(LARGEST_COSINE, cosine),
    agreementOf(evidence),
    inliers,
    outliers,
    coverage,
    ofFrame?.inliers ?? 0,
    ofFrame?.outliers ?? 0,
    ofFrame?.overlap ?? 0,
    ofFrame?.coverage ?? 0,
  ];
}

/** Returns Fisher's transform of the correlation times the root of overlap and detail. */
export function agreementOf({ correlation, overlap, detail }: Evidence): number {
  return fisher(correlation) * Math.sqrt(overlap * Math.min(1, detail));
}

/** Returns the probability that a frame shows the content of the image, by its own measurements. */
export function scoreMatch(weights: ScoreWeights, features: MatchFeatures): number {
  const terms = termsOf(features);
  const odds = scoreTerms.reduce(
    (sum, name, at) => sum + (weights[name] ?? 0) * (terms[at] ?? 0),
    weights.bias,
  );
  const probability = 1 / (1 + Math.exp(-odds));
  return isDetailed(features) ? probability : LOW_DETAIL_FACTOR * probability;
}

/** False for a frame whose agreement has hardly any content; its score has a factor besides the weights. */
export function isDetailed({ detail, overlap }: Evidence): boolean {
  return detail * overlap >= LEAST_DETAIL;
}

/**
 * Returns the factor of a score; `plainShare` is the largest share of one brightness in the part of the image that
 * shows the frame. A page of text has one colour in most places and yet detail everywhere, unlike a scene, and
 * resembles grass and other textures.
 */
export function textFactorOf({ correlation, detail }: Evidence, plainShare: () => number): number {
  if (correlation >= MOST_TEXT_CORRELATION || TEXT_PAGES.every((page) => detail < page.detail)) return 1;
  const plain = plainShare();
  return TEXT_PAGES.some((page) => detail >= page.detail && plain >= page.plainShare) ? TEXT_FACTOR : 1;
}

/**
 * Returns log odds of a coarse alignment, for comparisons only. `score` is its correlation, reduced for a
 * small overlap.
 */
export function coarseScore(weights: ScoreWeights, cosine: number, score: number): number {
  return (weights.cosine ?? 0) * cosine + (weights.agreement ?? 0) * Math.sqrt(USUAL_DETAIL) * fisher(score);
}

function fisher(correlation: number): number {
  return Math.atanh(Math.max(0, Math.min(LARGEST_CORRELATION, correlation)));
}
