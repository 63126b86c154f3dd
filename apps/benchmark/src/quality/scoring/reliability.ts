import { isRight, type QuestionResult } from "./question-result.ts";

/**
 * Matches whose similarity is in `from..to`: their number, mean similarity, and fraction of correct ones
 * (0..1).
 */
type ReliabilityBin = {
  from: number;
  to: number;
  count: number;
  meanSimilarity: number | null;
  right: number | null;
};

export type Reliability = {
  bins: ReliabilityBin[];
  /**
   * Expected calibration error: the gap between similarity and truth, weighted by matches (Naeini et al.,
   * 2015).
   */
  calibrationError: number | null;
};

const binCount = 10;

/** Groups every match of every result by its similarity: nine in ten of those at 0.9 should be correct. */
export function measureReliability(results: readonly QuestionResult[]): Reliability {
  const matches = results.flatMap(({ found, truths }) =>
    found.map((match) => ({ similarity: match.similarity, isRight: isRight(match, truths) })),
  );
  const bins = Array.from({ length: binCount }, (_, i): ReliabilityBin => {
    const inBin = matches.filter(({ similarity }) => binOf(similarity) === i);
    const sum = inBin.reduce((total, { similarity }) => total + similarity, 0);
    return {
      from: i / binCount,
      to: (i + 1) / binCount,
      count: inBin.length,
      meanSimilarity: inBin.length === 0 ? null : sum / inBin.length,
      right: inBin.length === 0 ? null : inBin.filter((match) => match.isRight).length / inBin.length,
    };
  });
  const gaps = bins.map(({ count, meanSimilarity, right }) =>
    meanSimilarity === null || right === null ? 0 : count * Math.abs(meanSimilarity - right),
  );
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  return { bins, calibrationError: matches.length === 0 ? null : total / matches.length };
}

function binOf(similarity: number): number {
  return Math.min(binCount - 1, Math.max(0, Math.floor(similarity * binCount)));
}
