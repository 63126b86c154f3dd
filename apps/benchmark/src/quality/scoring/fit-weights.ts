import {
  isDetailed,
  type RivalWeights,
  rivalTermsOf,
  type ScoreWeights,
  scoreTerms,
  termsOf,
} from "@koma/engine";
import type { Found } from "../systems/system.ts";
import { isRight, type QuestionResult } from "./question-result.ts";

type Example = { terms: readonly number[]; isRight: boolean };
type Term = (typeof scoreTerms)[number];

/** The weights of a model's manifest. */
export type FittedWeights = {
  scoreWeights: ScoreWeights;
  regionScoreWeights: ScoreWeights;
  rivalWeights: RivalWeights;
};

const frameTerms: readonly Term[] = ["cosine", "agreement", "inliers", "outliers", "coverage"];
/** The cosine, the outliers and the coverage of a region alone did not improve the fit. */
const regionTerms: readonly Term[] = [
  "agreement",
  "inliers",
  "frameInliers",
  "frameOutliers",
  "frameOverlap",
  "frameCoverage",
];
const NEWTON_STEPS = 60;
/** Bounds the weights when the examples are separable without error. */
const RIDGE = 1e-5;

/**
 * Returns the weights whose similarities are nearest to the truth for these results, by logistic regression:
 * those of frames and of regions on every verified match, those of rivals on the best match of each image. The
 * scores of the rivals are those of the run, so run it again with the first weights to fit them. Weights
 * without both correct and wrong matches are missing.
 */
export function fitWeights(results: readonly QuestionResult[]): Partial<FittedWeights> {
  const matches = results.flatMap(({ found, truths }) => found.map((match) => ({ match, truths })));
  const examplesOf = (terms: readonly Term[], isRegion: boolean) =>
    matches.flatMap(({ match, truths }): Example[] => {
      const { features } = match;
      if (features === null || (features.ofFrame !== undefined) !== isRegion || !isDetailed(features))
        return [];
      const all = termsOf(features);
      return [
        { terms: terms.map((term) => all[scoreTerms.indexOf(term)] ?? 0), isRight: isRight(match, truths) },
      ];
    });
  const scoreWeights = name(frameTerms, regress(examplesOf(frameTerms, false)));
  const regionScoreWeights = name(regionTerms, regress(examplesOf(regionTerms, true)));
  const rivals = regress(results.flatMap(({ found, truths }) => rivalExamples(found, truths)));
  const [bias = 0, score = 0, rival = 0] = rivals ?? [];
  return {
    ...(scoreWeights && { scoreWeights }),
    ...(regionScoreWeights && { regionScoreWeights }),
    ...(rivals && { rivalWeights: { bias, score, rival } }),
  };
}

function rivalExamples(found: readonly Found[], truths: QuestionResult["truths"]): Example[] {
  const [best, ...others] = found;
  if (best === undefined) return [];
  const rival = others.find(({ file }) => file !== best.file);
  return [{ terms: rivalTermsOf(best.score, rival?.score), isRight: isRight(best, truths) }];
}

function name(terms: readonly Term[], weights: readonly number[] | undefined): ScoreWeights | undefined {
  if (weights === undefined) return undefined;
  const [bias = 0, ...others] = weights;
  return { bias, ...Object.fromEntries(terms.map((term, at) => [term, others[at] ?? 0])) };
}

/** Returns the bias and the weights of the terms by Newton's method; undefined with examples of one kind. */
function regress(examples: readonly Example[]): number[] | undefined {
  if (new Set(examples.map((example) => example.isRight)).size < 2) return undefined;
  let weights = [0, ...(examples[0]?.terms ?? []).map(() => 0)];
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -RIDGE * examples.length * weight));
    const curvature = weights.map((_, row) =>
      weights.map((_, column) => (row === column ? (row === 0 ? 1e-9 : RIDGE) * examples.length : 0)),
    );
    for (const example of examples) {
      const terms = [1, ...example.terms];
      const probability = probabilityOf(weights, example);
      const spread = probability * (1 - probability);
      for (const [row, term] of terms.entries()) {
        slope[row] = (slope[row] ?? 0) + term * (Number(example.isRight) - probability);
        const line = curvature[row] ?? [];
        for (const [column, other] of terms.entries())
          line[column] = (line[column] ?? 0) + term * other * spread;
      }
    }
    const change = solve(curvature, slope);
    const before = penaltyOf(weights, examples);
    // A full step may overshoot the solution.
    for (let share = 1; share > 1e-3; share /= 2) {
      const tried = weights.map((weight, at) => weight + share * (change[at] ?? 0));
      if (penaltyOf(tried, examples) > before) continue;
      weights = tried;
      break;
    }
  }
  return weights;
}

function probabilityOf([bias = 0, ...weights]: readonly number[], { terms }: Example): number {
  return 1 / (1 + Math.exp(-terms.reduce((sum, term, at) => sum + term * (weights[at] ?? 0), bias)));
}

/** The objective of the fit: negative log likelihood and the ridge. */
function penaltyOf(weights: readonly number[], examples: readonly Example[]): number {
  const ridge = weights.slice(1).reduce((sum, weight) => sum + weight * weight, 0);
  return examples.reduce(
    (sum, example) => {
      const probability = probabilityOf(weights, example);
      return sum - Math.log(Math.max(1e-12, example.isRight ? probability : 1 - probability));
    },
    (RIDGE * examples.length * ridge) / 2,
  );
}

/** Solves a small regular system by Gaussian elimination with pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, at) => [...line, right[at] ?? 0]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    const rest = rows.slice(pivot);
    const best = rest.reduce((a, b) => (Math.abs(b[pivot] ?? 0) > Math.abs(a[pivot] ?? 0) ? b : a));
    rows.splice(pivot, size, best, ...rest.filter((line) => line !== best));
    for (const [at, line] of rows.entries()) {
      if (at === pivot) continue;
      const factor = (line[pivot] ?? 0) / (best[pivot] ?? 1);
      rows[at] = line.map((value, column) => value - factor * (best[column] ?? 0));
    }
  }
  return rows.map((line, at) => (line[size] ?? 0) / (line[at] ?? 1));
}
