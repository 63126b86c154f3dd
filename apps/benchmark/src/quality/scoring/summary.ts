import { findRank, findTimeError, type QuestionResult } from "./question-result.ts";
import { measureRankingAccuracy, type RankingAccuracy } from "./ranking-accuracy.ts";

/** Summary of the results of one system for one transformation; fractions 0..1, null without a count. */
export type Summary = RankingAccuracy & {
  system: string;
  transformation: string;
  /** Images of indexed videos. */
  known: number;
  rank1: number | null;
  rank5: number | null;
  meanTimeErrorSeconds: number | null;
  /** The time error that nine of ten correct matches do not exceed. */
  timeErrorP90Seconds: number | null;
  /**
   * Known images with a confident best match, and of all known images those with a confident and wrong one.
   */
  confident: number | null;
  confidentlyWrong: number | null;
  /** Images of works that are not indexed, and the fraction of them with a confident match. */
  negatives: number;
  falseConfident: number | null;
  /** Images of works that are not indexed, and correctly ranked images, with the outcome `not_in_library`. */
  absent: number | null;
  rightAbsent: number | null;
  /** Mean processor time of a search. */
  cpuMilliseconds: number | null;
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
  return [...groups.values()].map((group) => {
    const [{ system, transformation } = { system: "", transformation: "" }] = group;
    const unanswerable = results.filter(
      (questionResult) => questionResult.system === system && questionResult.truths.length === 0,
    );
    const answerable = group.filter(({ truths }) => truths.length > 0);
    const ranked = measureRankingAccuracy([...answerable, ...unanswerable]);
    return { ...summarise(group, system, transformation), ...ranked };
  });
}

/**
 * Summarises all these results. Precision and recall of a transformation (`summariseAll`) include all images
 * of works that are not indexed.
 */
export function summarise(
  results: readonly QuestionResult[],
  system: string,
  transformation: string,
): Summary {
  const known = results.filter((questionResult) => questionResult.truths.length > 0);
  const negatives = results.filter((questionResult) => questionResult.truths.length === 0);
  const timeErrors = known
    .flatMap((questionResult) => findTimeError(questionResult) ?? [])
    .sort((a, b) => a - b);
  const isAbsent = ({ outcome }: QuestionResult) => outcome === "not_in_library";
  const hasOutcome = results.some(({ outcome }) => outcome !== null);
  const isConfident = (questionResult: QuestionResult) => questionResult.found[0]?.isConfident === true;
  return {
    system,
    transformation,
    ...measureRankingAccuracy(results),
    known: known.length,
    rank1: share(known, (questionResult) => findRank(questionResult) === 1),
    rank5: share(known, (questionResult) => (findRank(questionResult) ?? 6) <= 5),
    meanTimeErrorSeconds: mean(timeErrors),
    timeErrorP90Seconds: timeErrors[Math.ceil(timeErrors.length * 0.9) - 1] ?? null,
    confident: share(known, isConfident),
    confidentlyWrong: share(
      known,
      (questionResult) => isConfident(questionResult) && findRank(questionResult) !== 1,
    ),
    negatives: negatives.length,
    falseConfident: share(negatives, isConfident),
    absent: hasOutcome ? share(negatives, isAbsent) : null,
    rightAbsent: hasOutcome
      ? share(
          known.filter((questionResult) => findRank(questionResult) === 1),
          isAbsent,
        )
      : null,
    cpuMilliseconds: mean(results.map((questionResult) => questionResult.cpuMilliseconds)),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number | null {
  return items.length === 0 ? null : items.filter(isCounted).length / items.length;
}
