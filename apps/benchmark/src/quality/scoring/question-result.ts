import type { SystemResult } from "../systems/system.ts";

/** The true location of an image. */
export type Truth = { file: string; atSeconds: number };

/** The result of one image in one system. */
export type QuestionResult = {
  system: string;
  /** Name of the transformation, or of a kind of absent images. */
  transformation: string;
  index: number;
  /** Correct locations; none for an image of a work that is not indexed. */
  truths: readonly Truth[];
  /** Processor time of all threads of this process, which includes decoding, the model and the index. */
  cpuMilliseconds: number;
} & Readonly<SystemResult>;

const toleranceSeconds = 1;

/**
 * A match is correct when its video is correct and its scene, widened by a second, contains the true time.
 */
export function isRight(found: SystemResult["found"][number], truths: readonly Truth[]): boolean {
  return truths.some(
    (truth) =>
      truth.file === found.file &&
      truth.atSeconds >= found.from - toleranceSeconds &&
      truth.atSeconds <= found.to + toleranceSeconds,
  );
}

/** Returns the rank of the first correct match, from 1; undefined without one. */
export function findRank(questionResult: QuestionResult): number | undefined {
  const index = questionResult.found.findIndex((found) => isRight(found, questionResult.truths));
  return index < 0 ? undefined : index + 1;
}

/**
 * Returns the seconds between the returned and the true time of the first correct match; undefined without
 * one.
 */
export function findTimeError(questionResult: QuestionResult): number | undefined {
  const rank = findRank(questionResult);
  const found = rank === undefined ? undefined : questionResult.found[rank - 1];
  if (found === undefined) return undefined;
  const errors = questionResult.truths
    .filter((truth) => truth.file === found.file)
    .map((truth) => Math.abs(truth.atSeconds - found.timestamp));
  return Math.min(...errors);
}
