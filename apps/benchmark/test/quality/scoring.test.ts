import { rivalTermsOf, scoreTerms, termsOf } from "@koma/engine";
import { createRandom } from "@koma/testing/drawing";
import { expect, test } from "vitest";
import { fitWeights } from "../../src/quality/scoring/fit-weights.ts";
import {
  findRank,
  findTimeError,
  isRight,
  type QuestionResult,
} from "../../src/quality/scoring/question-result.ts";
import { measureRankingAccuracy } from "../../src/quality/scoring/ranking-accuracy.ts";
import { summarise, summariseAll } from "../../src/quality/scoring/summary.ts";
import type { Found } from "../../src/quality/systems/system.ts";

const truth = { file: "/films/a.mkv", atSeconds: 100 };
const found = (part: Partial<Found> = {}): Found => ({
  file: "/films/a.mkv",
  timestamp: 100.4,
  from: 99,
  to: 103,
  score: 0.95,
  similarity: 0.95,
  isConfident: true,
  features: null,
  ...part,
});
const wrong = found({ file: "/films/b.mkv", similarity: 0.4, isConfident: false });
const questionResult = (part: Partial<QuestionResult>): QuestionResult => ({
  system: "s",
  transformation: "f",
  index: 0,
  truths: [truth],
  found: [found()],
  outcome: null,
  cpuMilliseconds: 20,
  ...part,
});

test("a match is correct for the same video and the scene widened by a second", () => {
  expect(isRight(found(), [truth])).toBe(true);
  expect(isRight(found({ from: 101, to: 104 }), [truth])).toBe(true);
  expect(isRight(found({ from: 101.01, to: 104 }), [truth])).toBe(false);
  expect(isRight(found({ from: 90, to: 98.9 }), [truth])).toBe(false);
  expect(isRight(wrong, [truth])).toBe(false);
  expect(isRight(wrong, [truth, { file: "/films/b.mkv", atSeconds: 100 }])).toBe(true);
});

test("rank and time error are those of the first correct match", () => {
  const third = questionResult({ found: [wrong, wrong, found()] });
  expect(findRank(third)).toBe(3);
  expect(findTimeError(third)).toBeCloseTo(0.4, 9);
  expect(findRank(questionResult({ found: [wrong] }))).toBeUndefined();
  expect(findTimeError(questionResult({ found: [] }))).toBeUndefined();
});

test("a summary counts known images and negatives separately", () => {
  const sureButWrong = found({ file: "/films/c.mkv", similarity: 0.9 });
  const results = [
    questionResult({}),
    questionResult({ found: [wrong, found({ timestamp: 102 })] }),
    questionResult({ found: [sureButWrong] }),
    questionResult({ found: [] }),
    questionResult({ truths: [], found: [found()] }),
    questionResult({ truths: [], found: [wrong] }),
  ];
  const summary = summarise(results, "s", "f");
  expect(summary).toMatchObject({
    known: 4,
    rank1: 0.25,
    rank5: 0.5,
    confident: 0.5,
    confidentlyWrong: 0.25,
    negatives: 2,
    falseConfident: 0.5,
  });
  expect(summary.meanTimeErrorSeconds).toBeCloseTo((0.4 + 2) / 2, 9);
  expect(summary.timeErrorP90Seconds).toBeCloseTo(2, 9);
  const negativesOnly = summarise(results.slice(4), "s", "f");
  expect([negativesOnly.rank1, negativesOnly.falseConfident]).toEqual([null, 0.5]);
});

test("precision and recall are measured over all images, those without an answer included", () => {
  const at = (similarity: number) => found({ similarity });
  const elsewhere = (similarity: number) => found({ file: "/films/b.mkv", similarity });
  const results = [
    // The second correct match of an image does not count.
    questionResult({ found: [at(0.9), at(0.85)] }),
    questionResult({ found: [elsewhere(0.7), at(0.6)] }),
    questionResult({ found: [] }),
    questionResult({ truths: [], found: [elsewhere(0.8)] }),
  ];
  // In order: right (0.9), wrong (0.8), wrong (0.7), right (0.6); three images have an answer.
  const { microAp, foundAtPrecision90 } = measureRankingAccuracy(results);
  expect(microAp).toBeCloseTo((1 + 2 / 4) / 3, 9);
  expect(foundAtPrecision90).toBeCloseTo(1 / 3, 9);
  expect(measureRankingAccuracy(results.slice(3))).toEqual({ microAp: null, foundAtPrecision90: null });
  // Equal similarities have no order that favours the system.
  const tied = [
    questionResult({ found: [at(0.8)] }),
    questionResult({ truths: [], found: [elsewhere(0.8)] }),
  ];
  expect(measureRankingAccuracy(tied)).toEqual({ microAp: 0.5, foundAtPrecision90: 0 });
});

test("a transformation is ranked among all images without an answer", () => {
  const results = [
    questionResult({ found: [found({ similarity: 0.6 })] }),
    questionResult({ transformation: "negative", truths: [], found: [wrong] }),
    questionResult({ transformation: "negative", truths: [], found: [found({ similarity: 0.7 })] }),
  ];
  expect(summariseAll(results)[0]).toMatchObject({ transformation: "f", microAp: 0.5, negatives: 0 });
});

test("a summary counts outcomes of absent images and of correctly ranked ones", () => {
  const results = [
    questionResult({ outcome: "found" }),
    questionResult({ outcome: "not_in_library" }),
    questionResult({ outcome: "not_in_library", found: [wrong] }),
    questionResult({ outcome: "not_in_library", truths: [] }),
    questionResult({ outcome: "uncertain", truths: [] }),
  ];
  expect(summarise(results, "s", "f")).toMatchObject({ absent: 0.5, rightAbsent: 0.5 });
  expect(summarise([questionResult({})], "s", "f")).toMatchObject({ absent: null, rightAbsent: null });
});

test("summaries are per system and transformation, in the order of the results", () => {
  const results = ["b", "a", "b"].flatMap((transformation) => [
    questionResult({ transformation }),
    questionResult({ transformation, system: "other", found: [] }),
  ]);
  expect(
    summariseAll(results).map(({ system, transformation, known, rank1 }) => [
      system,
      transformation,
      known,
      rank1,
    ]),
  ).toEqual([
    ["s", "b", 2, 1],
    ["other", "b", 2, 0],
    ["s", "a", 1, 1],
    ["other", "a", 1, 0],
  ]);
});

test("the fit recovers the weights that produced the results", () => {
  const random = createRandom("fit");
  const scoreWeights = { bias: -9, cosine: 5, agreement: 3, inliers: 5, outliers: -3, coverage: 2 };
  const rivalWeights = { bias: -1, score: 1.4, rival: -0.6 };
  const matches = Array.from({ length: 4000 }, () => {
    const features = {
      cosine: random.between(0.2, 1),
      correlation: random.between(0, 0.95),
      overlap: random.between(0.4, 1),
      detail: random.between(0.3, 0.9),
      inliers: random.between(0, 0.9),
      outliers: random.between(0, 0.9),
      coverage: random.between(0.2, 1),
    };
    const terms = termsOf(features);
    const odds = scoreTerms.reduce(
      (sum, name, at) =>
        sum + (terms[at] ?? 0) * (name in scoreWeights ? scoreWeights[name as keyof typeof scoreWeights] : 0),
      scoreWeights.bias,
    );
    const isRightOne = random.chance(1 / (1 + Math.exp(-odds)));
    return questionResult({ found: [{ ...(isRightOne ? found() : wrong), features }] });
  });
  const rivals = Array.from({ length: 4000 }, () => {
    const [score, rival] = [random.between(0.01, 0.99), random.between(0.01, 0.99)];
    const [ofScene, ofRival] = rivalTermsOf(score, rival);
    const odds = rivalWeights.bias + rivalWeights.score * ofScene + rivalWeights.rival * ofRival;
    const best = random.chance(1 / (1 + Math.exp(-odds))) ? found({ score }) : { ...wrong, score };
    return questionResult({ found: [best, found({ score: rival, file: "/films/rival.mkv" })] });
  });
  const fitted = fitWeights(matches);
  expect(fitted.regionScoreWeights).toBeUndefined();
  for (const [name, weight] of Object.entries(scoreWeights))
    expect(fitted.scoreWeights, name).toHaveProperty(name, expect.closeTo(weight, -0.3));
  for (const [name, weight] of Object.entries(rivalWeights))
    expect(fitWeights(rivals).rivalWeights, name).toHaveProperty(name, expect.closeTo(weight, 0.3));
  expect(fitWeights([questionResult({ found: [wrong] })])).toEqual({});
});
