import type { Evidence } from "../verification/evidence.ts";
import type { InlierArea } from "../verification/inlier-area.ts";

/**
 * The measurements that score a frame: the cosine of its descriptor with a view, and the evidence of its
 * alignment.
 */
export type MatchFeatures = Evidence &
  Partial<InlierArea> & {
    cosine: number;
    /** For a region of a frame: the evidence of the whole frame, aligned where the region is located. */
    ofFrame?: Evidence & InlierArea;
  };

/**
 * Weights of a logistic function (see `scoreMatch`), fitted for a model by `npm run bench:quality -- --fit`.
 * The log odds are `bias + cosine * c + agreement * z * sqrt(overlap) + detail * z * sqrt(overlap * detail) +
 * inliers * i + outliers * o`, where z is Fisher's transform of the correlation, and i and o are the areas of
 * inliers and outliers.
 */
export type ScoreWeights = {
  bias: number;
  cosine: number;
  agreement: number;
  detail: number;
  /** Weights of the areas of inliers and outliers; 0 when missing. */
  inliers?: number;
  outliers?: number;
  /** The weights of the same areas of the whole frame, for regions. */
  frameInliers?: number;
  frameOutliers?: number;
};

const LARGEST_CORRELATION = 0.97;
/**
 * Cosine of a frame and its recompressed copy. A larger one carries no information and must not compensate
 * low agreement.
 */
const LARGEST_COSINE = 0.95;
const USUAL_DETAIL = 0.5;
/** Below this detail, for example in a gradient, agreement is often accidental: the score is at most even. */
const LEAST_DETAIL = 0.08;
const EVEN = 0.5;

/** Returns the terms of the weights cosine, agreement and detail, in this order. */
export function termsOf({ cosine, correlation, overlap, detail }: MatchFeatures): [number, number, number] {
  const agreement = fisher(correlation) * Math.sqrt(overlap);
  return [Math.min(LARGEST_COSINE, cosine), agreement, agreement * Math.sqrt(Math.min(1, detail))];
}

/** Returns the probability that a frame shows the content of the image. */
export function scoreMatch(weights: ScoreWeights, features: MatchFeatures): number {
  const [cosine, agreement, detail] = termsOf(features);
  const odds =
    weights.bias +
    weights.cosine * cosine +
    weights.agreement * agreement +
    weights.detail * detail +
    (weights.inliers ?? 0) * (features.inliers ?? 0) +
    (weights.outliers ?? 0) * (features.outliers ?? 0) +
    (weights.frameInliers ?? 0) * (features.ofFrame?.inliers ?? 0) +
    (weights.frameOutliers ?? 0) * (features.ofFrame?.outliers ?? 0);
  const probability = 1 / (1 + Math.exp(-odds));
  return features.detail * features.overlap < LEAST_DETAIL ? Math.min(EVEN, probability) : probability;
}

/**
 * Returns log odds of a coarse alignment, for comparisons only. `score` is its correlation, reduced for a
 * small overlap.
 */
export function coarseScore(weights: ScoreWeights, cosine: number, score: number): number {
  return weights.cosine * cosine + (weights.agreement + weights.detail * USUAL_DETAIL) * fisher(score);
}

function fisher(correlation: number): number {
  return Math.atanh(Math.max(0, Math.min(LARGEST_CORRELATION, correlation)));
}
