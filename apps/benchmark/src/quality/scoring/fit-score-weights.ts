import { type MatchFeatures, type ScoreWeights, scoreMatch, termsOf } from "@koma/engine";
import { isRight, type QuestionResult } from "./question-result.ts";

type Example = { features: MatchFeatures; isRight: boolean };

const NEWTON_STEPS = 60;
/** Keeps the weights finite where the examples can be parted without error. */
const RIDGE = 1e-5;

/**
 * The weights under which these answers' similarities come closest to the truth: logistic regression on the terms of every match that was
 * verified, by Newton's method. Undefined without both right and wrong matches.
 */
export function fitScoreWeights(results: readonly QuestionResult[]): ScoreWeights | undefined {
  const examples = results.flatMap(({ found, truths }) =>
    found.flatMap((match): Example[] =>
      // Regions are judged by weights of their own.
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
    // A whole step may overshoot far from the solution.
    for (let share = 1; share > 1e-3; share /= 2) {
      const tried = weights.map((weight, at) => weight + share * (change[at] ?? 0));
      if (penaltyOf(tried, examples) > before) continue;
      weights = tried;
      break;
    }
  }
  return toScoreWeights(weights);
}

/** What the fit makes smallest: negative log likelihood and the ridge. */
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

/** Gaussian elimination with pivoting of a small regular system. */
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
