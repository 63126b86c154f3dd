import { isRight, type QuestionResult } from "./question-result.ts";

/** Matches whose similarity lies in `from..to`: how many, what they promised in the mean, how many kept it (0..1). */
type ReliabilityBin = {
  from: number;
  to: number;
  count: number;
  meanSimilarity: number | null;
  right: number | null;
};

export type Reliability = {
  bins: ReliabilityBin[];
  /** Expected calibration error: the gap between promise and truth, weighted by matches (Naeini et al., 2015). */
  calibrationError: number | null;
};

const binCount = 10;

/** Every match of every answer, by its similarity: of those given at 0.9, nine in ten should be right. */
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
