import { findRank, findTimeError, type QuestionResult } from "./question-result.ts";

/** What the answers of one system to one family come to; shares 0..1, null where there was nothing to count. */
export type Summary = {
  system: string;
  transformation: string;
  /** Pictures of films in the library. */
  known: number;
  rank1: number | null;
  rank5: number | null;
  medianTimeErrorSeconds: number | null;
  /** Of the best place given for known pictures. */
  meanSimilarity: number | null;
  /** Known pictures whose best place was given with confidence, and of all known those confident and wrong. */
  confident: number | null;
  confidentlyWrong: number | null;
  /** Pictures of works that were not in the library, and the share of them given a confident place. */
  negatives: number;
  falseConfident: number | null;
  medianMilliseconds: number | null;
};

/** Summaries of each system and family, in the order of their first answers. */
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

/** One summary of all these answers. */
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

/** The middle value, of an even number the mean of the middle two; null of none. */
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
