import { type MatchFeatures, type ScoreWeights, scoreMatch, termsOf } from "@koma/engine";
import { isRight, type QuestionResult } from "./question-result.ts";

type Example = { features: MatchFeatures; isRight: boolean };

const NEWTON_STEPS = 60;
/** Bounds the weights when the examples are separable without error. */
const RIDGE = 1e-5;

/**
 * Returns the weights whose similarities are nearest to the truth for these results: logistic regression on
 * the terms of every verified match, by Newton's method. Returns undefined without both correct and wrong
 * matches.
 */
export function fitScoreWeights(results: readonly QuestionResult[]): ScoreWeights | undefined {
  const examples = results.flatMap(({ found, truths }) =>
    found.flatMap((match): Example[] =>
      // Regions have other weights.
      match.features === null || match.features.ofFrame !== undefined
        ? []
        : [{ features: match.features, isRight: isRight(match, truths) }],
    ),
  );
  if (new Set(examples.map((example) => example.isRight)).size < 2) return undefined;
  let weights = [0, 0, 0, 0];
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -RIDGE * examples.length * weight));
    const curvature = weights.map((_, row) =>
      weights.map((_, column) => (row === column ? (row === 0 ? 1e-9 : RIDGE) * examples.length : 0)),
    );
    for (const { features, isRight } of examples) {
      const terms = [1, ...termsOf(features)];
      const probability = scoreMatch(toScoreWeights(weights), features);
      const spread = probability * (1 - probability);
      for (const [row, term] of terms.entries()) {
        slope[row] = (slope[row] ?? 0) + term * (Number(isRight) - probability);
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
  return toScoreWeights(weights);
}

/** The objective of the fit: negative log likelihood and the ridge. */
function penaltyOf(weights: readonly number[], examples: readonly Example[]): number {
  const ridge = weights.slice(1).reduce((sum, weight) => sum + weight * weight, 0);
  return examples.reduce(
    (sum, { features, isRight }) => {
      const probability = scoreMatch(toScoreWeights(weights), features);
      return sum - Math.log(Math.max(1e-12, isRight ? probability : 1 - probability));
    },
    (RIDGE * examples.length * ridge) / 2,
  );
}

function toScoreWeights([bias = 0, cosine = 0, agreement = 0, detail = 0]: readonly number[]): ScoreWeights {
  return { bias, cosine, agreement, detail };
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
