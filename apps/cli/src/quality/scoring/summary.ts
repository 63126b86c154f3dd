import { type Answer, findRank, findTimeError } from "./answer.ts";

/** What the answers of one system to one family come to; shares 0..1, null where there was nothing to count. */
export type Summary = {
  system: string;
  family: string;
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
  strangers: number;
  falseConfident: number | null;
  medianMilliseconds: number | null;
};

/** Summaries of each system and family, in the order of their first answers. */
export function summariseAll(answers: readonly Answer[]): Summary[] {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) {
    const key = JSON.stringify([answer.system, answer.family]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [answer]);
    else group.push(answer);
  }
  return [...groups.values()].map((group) =>
    summarise(group, group[0]?.system ?? "", group[0]?.family ?? ""),
  );
}

/** One summary of all these answers. */
export function summarise(answers: readonly Answer[], system: string, family: string): Summary {
  const known = answers.filter((answer) => answer.truths.length > 0);
  const strangers = answers.filter((answer) => answer.truths.length === 0);
  const isConfident = (answer: Answer) => answer.found[0]?.isConfident === true;
  return {
    system,
    family,
    known: known.length,
    rank1: share(known, (answer) => findRank(answer) === 1),
    rank5: share(known, (answer) => (findRank(answer) ?? 6) <= 5),
    medianTimeErrorSeconds: median(known.flatMap((answer) => findTimeError(answer) ?? [])),
    meanSimilarity: mean(known.map((answer) => answer.found[0]?.similarity ?? 0)),
    confident: share(known, isConfident),
    confidentlyWrong: share(known, (answer) => isConfident(answer) && findRank(answer) !== 1),
    strangers: strangers.length,
    falseConfident: share(strangers, isConfident),
    medianMilliseconds: median(answers.map((answer) => answer.milliseconds)),
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
