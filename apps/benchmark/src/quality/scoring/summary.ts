import { findRank, findTimeError, type QuestionResult } from "./question-result.ts";

/** Summary of the results of one system for one transformation; fractions 0..1, null without a count. */
export type Summary = {
  system: string;
  transformation: string;
  /** Images of indexed videos. */
  known: number;
  rank1: number | null;
  rank5: number | null;
  medianTimeErrorSeconds: number | null;
  /** Of the best match of known images. */
  meanSimilarity: number | null;
  /**
   * Known images with a confident best match, and of all known images those with a confident and wrong one.
   */
  confident: number | null;
  confidentlyWrong: number | null;
  /** Images of works that are not indexed, and the fraction of them with a confident match. */
  negatives: number;
  falseConfident: number | null;
  medianMilliseconds: number | null;
};

/** Summarises each system and transformation, in the order of their first results. */
export function summariseAll(results: readonly QuestionResult[]): Summary[] {
  const groups = new Map<string, QuestionResult[]>();
  for (const questionResult of results) {
    const key = JSON.stringify([questionResult.system, questionResult.transformation]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [questionResult]);
    else group.push(questionResult);
  }
  return [...groups.values()].map((group) =>
    summarise(group, group[0]?.system ?? "", group[0]?.transformation ?? ""),
  );
}

/** Summarises all these results. */
export function summarise(
  results: readonly QuestionResult[],
  system: string,
  transformation: string,
): Summary {
  const known = results.filter((questionResult) => questionResult.truths.length > 0);
  const negatives = results.filter((questionResult) => questionResult.truths.length === 0);
  const isConfident = (questionResult: QuestionResult) => questionResult.found[0]?.isConfident === true;
  return {
    system,
    transformation,
    known: known.length,
    rank1: share(known, (questionResult) => findRank(questionResult) === 1),
    rank5: share(known, (questionResult) => (findRank(questionResult) ?? 6) <= 5),
    medianTimeErrorSeconds: median(known.flatMap((questionResult) => findTimeError(questionResult) ?? [])),
    meanSimilarity: mean(known.map((questionResult) => questionResult.found[0]?.similarity ?? 0)),
    confident: share(known, isConfident),
    confidentlyWrong: share(
      known,
      (questionResult) => isConfident(questionResult) && findRank(questionResult) !== 1,
    ),
    negatives: negatives.length,
    falseConfident: share(negatives, isConfident),
    medianMilliseconds: median(results.map((questionResult) => questionResult.milliseconds)),
  };
}

/** Returns the middle value, the mean of the middle two for an even number, and null for none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number | null {
  return items.length === 0 ? null : items.filter(isCounted).length / items.length;
}
