import type { Found } from "../systems/system.ts";

/** Where a picture really is from. */
export type Truth = { file: string; atSeconds: number };

/** One picture put to one system. */
export type QuestionResult = {
  system: string;
  /** Name of the edit family, or of a kind of stranger. */
  transformation: string;
  index: number;
  /** Places that are right; none for a picture of a work that was not in the library. */
  truths: readonly Truth[];
  found: readonly Found[];
  milliseconds: number;
};

const toleranceSeconds = 1;

/** Right: the very film, and the scene given, widened by a second, holds the true time. */
export function isRight(found: Found, truths: readonly Truth[]): boolean {
  return truths.some(
    (truth) =>
      truth.file === found.file &&
      truth.atSeconds >= found.from - toleranceSeconds &&
      truth.atSeconds <= found.to + toleranceSeconds,
  );
}

/** Rank of the first right place, 1 for the best; undefined when none is right. */
export function findRank(questionResult: QuestionResult): number | undefined {
  const index = questionResult.found.findIndex((found) => isRight(found, questionResult.truths));
  return index < 0 ? undefined : index + 1;
}

/** A failure is a known picture not found first, or a stranger (or a wrong place) given with confidence. */
export function isFailure(questionResult: QuestionResult): boolean {
  return questionResult.truths.length === 0
    ? questionResult.found[0]?.isConfident === true
    : findRank(questionResult) !== 1;
}

/** Seconds between the time given and the true one, of the first right place; undefined when none is right. */
export function findTimeError(questionResult: QuestionResult): number | undefined {
  const rank = findRank(questionResult);
  const found = rank === undefined ? undefined : questionResult.found[rank - 1];
  if (found === undefined) return undefined;
  const errors = questionResult.truths
    .filter((truth) => truth.file === found.file)
    .map((truth) => Math.abs(truth.atSeconds - found.timestamp));
  return Math.min(...errors);
}
