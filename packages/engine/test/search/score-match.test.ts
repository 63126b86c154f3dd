import { loadModel } from "@koma/engine";
import { expect, it } from "vitest";
import { scoreMatch, textFactorOf } from "../../src/search/score-match.ts";

const clear = {
  cosine: 0.95,
  correlation: 0.93,
  overlap: 1,
  detail: 0.5,
  inliers: 0.9,
  outliers: 0.05,
  coverage: 1,
};

it("is certain of frames that agree, but not of similar frames", async () => {
  const { scoreWeights } = await loadModel();
  expect(scoreMatch(scoreWeights, clear)).toBeGreaterThan(0.99);
  const similar = { ...clear, cosine: 0.8, correlation: 0.4, inliers: 0.3, outliers: 0.6 };
  expect(scoreMatch(scoreWeights, similar)).toBeLessThan(0.5);
  expect(scoreMatch(scoreWeights, { ...clear, cosine: 1 })).toBe(scoreMatch(scoreWeights, clear));
});

it("decreases with every measurement that contradicts the frame", async () => {
  const { scoreWeights } = await loadModel();
  const score = scoreMatch(scoreWeights, clear);
  for (const worse of [
    { cosine: 0.5 },
    { correlation: 0.5 },
    { inliers: 0.4 },
    { outliers: 0.5 },
    { coverage: 0.3 },
  ])
    expect(scoreMatch(scoreWeights, { ...clear, ...worse }), JSON.stringify(worse)).toBeLessThan(score);
});

it("gives agreement without detail, as of gradients and blank pages, hardly any weight", async () => {
  const { absentBelow, scoreWeights } = await loadModel();
  expect(scoreMatch(scoreWeights, { ...clear, detail: 0.07 })).toBeLessThan(absentBelow);
});

it("weighs the whole frame of a region", async () => {
  const { regionScoreWeights } = await loadModel();
  const whole = { correlation: 0.9, overlap: 0.25, detail: 0.4, inliers: 0.22, outliers: 0.02, coverage: 1 };
  const score = scoreMatch(regionScoreWeights, { ...clear, ofFrame: whole });
  expect(score).toBeGreaterThan(0.9);
  for (const worse of [{ inliers: 0.05 }, { outliers: 0.3 }, { coverage: 0.75 }])
    expect(scoreMatch(regionScoreWeights, { ...clear, ofFrame: { ...whole, ...worse } })).toBeLessThan(score);
});

it("is low for a page of text that resembles a texture, and not for a title", () => {
  const text = { correlation: 0.58, overlap: 1, detail: 0.78 };
  const plain = () => 0.8;
  expect(textFactorOf(text, plain)).toBeLessThan(0.1);
  expect(textFactorOf(text, () => 0.55)).toBeLessThan(0.1);
  expect(textFactorOf({ ...text, detail: 0.4 }, () => 0.55)).toBe(1);
  expect(textFactorOf(text, () => 0.4)).toBe(1);
  expect(textFactorOf({ ...text, correlation: 0.9 }, plain)).toBe(1);
  expect(textFactorOf({ ...text, detail: 0.15 }, plain)).toBe(1);
});
