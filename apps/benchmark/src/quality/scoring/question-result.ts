import type { SystemResult } from "../systems/system.ts";

/** The true location of an image. */
export type Truth = { file: string; atSeconds: number };

/**
 * The steps of a search at which the right scene can be lost: it is no near neighbour of any view, it is not chosen
 * for verification, its frame cannot be aligned with the image, or its score is too low.
 */
export type SearchStep = "neighbours" | "candidates" | "alignment" | "score";

/** The result of one image in one system. */
export type QuestionResult = {
  system: string;
  /** Name of the transformation, or of a kind of negative. */
  transformation: string;
  index: number;
  /** Correct locations; none for an image of a work that is not indexed. */
  truths: readonly Truth[];
  /** Processor time of all threads of this process, which includes decoding, the model and the index. */
  cpuMilliseconds: number;
  /** The step that lost the right scene, where it is not first in a system that states its steps. */
  failedStep?: SearchStep;
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

/**
 * Returns the step that lost the right scene; `considered` has all scenes of which a search with the largest number of
 * neighbours had one.
 */
export function findFailedStep(considered: SystemResult["found"], truths: readonly Truth[]): SearchStep {
  const right = considered.filter((found) => isRight(found, truths));
  if (right.length === 0) return "neighbours";
  if (right.some(({ features }) => features !== null)) return "score";
  // A frame that was aligned in vain has the score zero, and one that was not chosen a part of its cosine's.
  return right.some(({ score }) => score === 0) ? "alignment" : "candidates";
}
