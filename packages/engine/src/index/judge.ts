import type { Evidence } from "../verification/evidence.ts";

/**
 * Weights of a logistic function (see `judge`), fitted for a model to edited pictures of drawn scenes and of openly licensed clips: the log odds
 * are `bias + cosine * c + agreement * z * sqrt(overlap) + detail * z * sqrt(overlap * detail)`, z being Fisher's transform of the correlation.
 */
export type Judgement = { bias: number; cosine: number; agreement: number; detail: number };

const LARGEST_CORRELATION = 0.97;
const USUAL_DETAIL = 0.5;

/** Log odds, for comparing only, from a coarse look: `score` is the correlation there, less for a small overlap. */
export function judgeFromAfar(weights: Judgement, cosine: number, score: number): number {
  const agreement = Math.atanh(Math.max(0, Math.min(LARGEST_CORRELATION, score)));
  return weights.cosine * cosine + (weights.agreement + weights.detail * USUAL_DETAIL) * agreement;
}

/** Probability that a frame shows what the picture shows, from the cosine of their descriptors and the evidence of laying one over the other. */
export function judge(
  weights: Judgement,
  cosine: number,
  { correlation, overlap, detail }: Evidence,
): number {
  const agreement = Math.atanh(Math.max(0, Math.min(LARGEST_CORRELATION, correlation))) * Math.sqrt(overlap);
  const odds =
    weights.bias +
    weights.cosine * cosine +
    weights.agreement * agreement +
    weights.detail * agreement * Math.sqrt(Math.min(1, detail));
  return 1 / (1 + Math.exp(-odds));
}
