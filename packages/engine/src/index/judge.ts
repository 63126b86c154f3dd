import type { Evidence } from "../verification/evidence.ts";

/** What a frame is judged by: the cosine of its descriptor and a view's, and the evidence of laying it over the picture. */
export type Grounds = Evidence & { cosine: number };

/**
 * Weights of a logistic function (see `judge`), fitted for a model by `npm run bench:quality -- --fit`: the log odds are
 * `bias + cosine * c + agreement * z * sqrt(overlap) + detail * z * sqrt(overlap * detail)`, z being Fisher's transform of the correlation.
 */
export type Judgement = { bias: number; cosine: number; agreement: number; detail: number };

const LARGEST_CORRELATION = 0.97;
/** As alike as a frame and its own recompressed copy: more says nothing, and must not make up for a picture that does not agree. */
const LARGEST_COSINE = 0.95;
const USUAL_DETAIL = 0.5;
/** Where there is less to see, a gradient say, much agrees by chance: such a frame is no better than even. */
const LEAST_DETAIL = 0.08;
const EVEN = 0.5;

/** The terms that the weights cosine, agreement and detail are for, in this order. */
export function termsOf({ cosine, correlation, overlap, detail }: Grounds): [number, number, number] {
  const agreement = fisher(correlation) * Math.sqrt(overlap);
  return [Math.min(LARGEST_COSINE, cosine), agreement, agreement * Math.sqrt(Math.min(1, detail))];
}

/** Probability that a frame shows what the picture shows. */
export function judge(weights: Judgement, grounds: Grounds): number {
  const [cosine, agreement, detail] = termsOf(grounds);
  const odds =
    weights.bias + weights.cosine * cosine + weights.agreement * agreement + weights.detail * detail;
  const probability = 1 / (1 + Math.exp(-odds));
  return grounds.detail * grounds.overlap < LEAST_DETAIL ? Math.min(EVEN, probability) : probability;
}

/** Log odds, for comparing only, from a coarse look: `score` is the correlation there, less for a small overlap. */
export function judgeFromAfar(weights: Judgement, cosine: number, score: number): number {
  return weights.cosine * cosine + (weights.agreement + weights.detail * USUAL_DETAIL) * fisher(score);
}

function fisher(correlation: number): number {
  return Math.atanh(Math.max(0, Math.min(LARGEST_CORRELATION, correlation)));
}
