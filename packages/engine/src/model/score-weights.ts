/** A cosine and the probability that a scene with it is the right one. */
export type CalibrationPoint = [cosine: number, similarity: number];

/** The terms of the log odds besides `bias`, in the order of `termsOf`; the last four are for regions. */
export const scoreTerms = [
  "cosine",
  "agreement",
  "inliers",
  "outliers",
  "coverage",
  "frameInliers",
  "frameOutliers",
  "frameOverlap",
  "frameCoverage",
] as const;

/**
 * Weights of a logistic function (see `scoreMatch`), fitted for a model by `npm run bench:quality -- --fit`.
 * The log odds are the sum of `bias` and of each term times its weight, 0 when missing:
 *
 * - `cosine` of the descriptors,
 * - `agreement`: Fisher's transform of the correlation times the root of overlap and detail,
 * - `inliers` and `outliers`: the areas that agree with the image and that do not,
 * - `coverage`: an unrelated frame agrees with a small part of a view more often than with all of it,
 * - the same measurements of the whole frame, for a region.
 */
export type ScoreWeights = { bias: number } & Partial<Record<(typeof scoreTerms)[number], number>>;

/**
 * Weights of a logistic function: the log odds of a scene's similarity are `bias + score * s + rival * r`,
 * where s and r are the log odds of its own score and of its rival's.
 */
export type RivalWeights = { bias: number; score: number; rival: number };
