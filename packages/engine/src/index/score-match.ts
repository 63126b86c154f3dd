import type { Evidence } from "../verification/evidence.ts";
import type { InlierArea } from "../verification/inlier-area.ts";

/** What a frame is judged by: the cosine of its descriptor and a view's, and the evidence of laying it over the picture. */
export type MatchFeatures = Evidence &
  Partial<InlierArea> & {
    cosine: number;
    /** Of a region of a frame: the evidence of laying the whole frame over the picture where the region lies. */
    ofFrame?: Evidence & InlierArea;
  };

/**
 * Weights of a logistic function (see `scoreMatch`), fitted for a model by `npm run bench:quality -- --fit`: the log odds are
 * `bias + cosine * c + agreement * z * sqrt(overlap) + detail * z * sqrt(overlap * detail) + inliers * i + outliers * o`, z being Fisher's
 * transform of the correlation, i and o the inlier area and that of outliers.
 */
export type ScoreWeights = {
  bias: number;
  cosine: number;
  agreement: number;
  detail: number;
  /** Weights of the areas that agree and that differ; none where they are missing. */
  inliers?: number;
  outliers?: number;
  /** The same of the whole frame, for regions. */
  frameInliers?: number;
  frameOutliers?: number;
};

const LARGEST_CORRELATION = 0.97;
/** As alike as a frame and its own recompressed copy: more says nothing, and must not make up for a picture that does not agree. */
const LARGEST_COSINE = 0.95;
const USUAL_DETAIL = 0.5;
/** Where there is less to see, a gradient say, much agrees by chance: such a frame is no better than even. */
const LEAST_DETAIL = 0.08;
const EVEN = 0.5;

/** The terms that the weights cosine, agreement and detail are for, in this order. */
export function termsOf({ cosine, correlation, overlap, detail }: MatchFeatures): [number, number, number] {
  const agreement = fisher(correlation) * Math.sqrt(overlap);
  return [Math.min(LARGEST_COSINE, cosine), agreement, agreement * Math.sqrt(Math.min(1, detail))];
}

/** Probability that a frame shows what the picture shows. */
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

/** Log odds, for comparing only, from a coarse look: `score` is the correlation there, less for a small overlap. */
export function coarseScore(weights: ScoreWeights, cosine: number, score: number): number {
  return weights.cosine * cosine + (weights.agreement + weights.detail * USUAL_DETAIL) * fisher(score);
}

function fisher(correlation: number): number {
  return Math.atanh(Math.max(0, Math.min(LARGEST_CORRELATION, correlation)));
}
