import { isRight, type QuestionResult } from "./question-result.ts";

/** Accuracy over all images at once, with one threshold for all; shares 0..1, null without a correct answer. */
export type PrecisionRecall = { microAp: number | null; recallAtPrecision90: number | null };

const leastPrecision = 0.9;

/**
 * Measures micro-average precision and recall at 90 % precision, as DISC21 does (Douze et al., 2021): the
 * matches of all images are sorted by similarity. Images without a correct answer contribute only wrong
 * matches. Each image has one correct answer: its first correct match counts, further ones are left out.
 */
export function measurePrecisionRecall(results: readonly QuestionResult[]): PrecisionRecall {
  const answers = results.filter(({ truths }) => truths.length > 0).length;
  if (answers === 0) return { microAp: null, recallAtPrecision90: null };
  const predictions = results.flatMap(({ found, truths }) => {
    const first = found.findIndex((match) => isRight(match, truths));
    return found.flatMap((match, at) =>
      at !== first && isRight(match, truths) ? [] : { similarity: match.similarity, isRight: at === first },
    );
  });
  // Of equal similarities the wrong ones come first, so that ties give no advantage.
  predictions.sort((a, b) => b.similarity - a.similarity || Number(a.isRight) - Number(b.isRight));
  let [right, sum, recall] = [0, 0, 0];
  for (const [at, prediction] of predictions.entries()) {
    if (!prediction.isRight) continue;
    right++;
    const precision = right / (at + 1);
    sum += precision;
    if (precision >= leastPrecision) recall = right / answers;
  }
  return { microAp: sum / answers, recallAtPrecision90: recall };
}
