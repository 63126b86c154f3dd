import { loadModel } from "@koma/engine";
import { expect, it } from "vitest";
import { scoreMatch } from "../../src/index/score-match.ts";

it("is certain of frames that agree, but not of similar frames or at low detail", async () => {
  const { scoreWeights, confidentAt } = await loadModel();
  const clear = { cosine: 0.95, correlation: 0.93, overlap: 1, detail: 0.5 };
  expect(scoreMatch(scoreWeights, clear)).toBeGreaterThan(0.99);
  expect(scoreMatch(scoreWeights, { ...clear, correlation: 0.1 })).toBeLessThan(confidentAt);
  expect(scoreMatch(scoreWeights, { ...clear, cosine: 0.4 })).toBeLessThan(confidentAt);
  expect(scoreMatch(scoreWeights, { ...clear, detail: 0.07 })).toBeLessThanOrEqual(0.5);
  expect(scoreMatch(scoreWeights, { ...clear, cosine: 1 })).toBe(scoreMatch(scoreWeights, clear));
});
