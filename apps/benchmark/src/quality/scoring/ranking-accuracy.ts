import { isRight, type QuestionResult } from "./question-result.ts";

/**
 * Accuracy over all images with one threshold for all, 0..1, null without a known image: micro-average
 * precision, and the share of known images that are found at 90 % precision (recall).
 */
export type RankingAccuracy = { microAp: number | null; foundAtPrecision90: number | null };

const leastPrecision = 0.9;

/**
 * Measures micro-average precision and recall at 90 % precision, as DISC21 does (Douze et al., 2021;
 * `isc/metrics.py` of facebookresearch/isc2021): the matches of all images are sorted by similarity. Images
 * without a correct answer contribute only wrong matches. Each image has one correct answer: its first correct
 * match counts, further ones are left out.
 */
export function measureRankingAccuracy(results: readonly QuestionResult[]): RankingAccuracy {
  const known = results.filter(({ truths }) => truths.length > 0).length;
  if (known === 0) return { microAp: null, foundAtPrecision90: null };
  const predictions = results.flatMap(({ found: matches, truths }) => {
    const first = matches.findIndex((match) => isRight(match, truths));
    return matches.flatMap((match, at) =>
      at !== first && isRight(match, truths) ? [] : { similarity: match.similarity, isRight: at === first },
    );
  });
  // Of equal similarities the wrong ones come first, so that ties give no advantage.
  predictions.sort((a, b) => b.similarity - a.similarity || Number(a.isRight) - Number(b.isRight));
  let [right, sum, found] = [0, 0, 0];
  for (const [at, prediction] of predictions.entries()) {
    if (!prediction.isRight) continue;
    right++;
    const precision = right / (at + 1);
    sum += precision;
    if (precision >= leastPrecision) found = right / known;
  }
  return { microAp: sum / known, foundAtPrecision90: found };
}
