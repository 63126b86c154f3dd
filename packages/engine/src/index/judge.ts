import type { Evidence } from "../verification/evidence.ts";

/**
 * Probability that a frame shows what the picture shows, from the cosine of their descriptors and the evidence of laying one over the other: a
 * logistic function, fitted to edited pictures of drawn scenes and of openly licensed clips.
 */
export function judge(cosine: number, evidence: Evidence): number {
  const value = featuresOf(cosine, evidence).reduce(
    (sum, feature, at) => sum + feature * (WEIGHTS[at] ?? 0),
    BIAS,
  );
  return 1 / (1 + Math.exp(-value));
}

/** What `judge` weighs, in the order of its weights. */
export function featuresOf(cosine: number, evidence: Evidence): number[] {
  const { correlation, steadyCorrelation, agreeing, overlap, detail } = evidence;
  const extent = overlap ** 0.35;
  return [
    cosine,
    correlation * extent,
    steadyCorrelation * extent,
    Math.sqrt(agreeing),
    overlap,
    Math.min(0.3, detail),
  ];
}

const BIAS = -15;
const WEIGHTS = [6, 6, 8, 5, 0, 0];
