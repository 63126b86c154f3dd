import { loadModel } from "@koma/engine";
import { expect, it } from "vitest";
import { judge } from "../../src/index/judge.ts";

it("is sure of what agrees, not of what is merely alike, and of nothing where there is little to see", async () => {
  const { judgement, confidentAt } = await loadModel();
  const clear = { cosine: 0.95, correlation: 0.93, overlap: 1, detail: 0.5 };
  expect(judge(judgement, clear)).toBeGreaterThan(0.99);
  expect(judge(judgement, { ...clear, correlation: 0.1 })).toBeLessThan(confidentAt);
  expect(judge(judgement, { ...clear, cosine: 0.4 })).toBeLessThan(confidentAt);
  expect(judge(judgement, { ...clear, detail: 0.07 })).toBeLessThanOrEqual(0.5);
  expect(judge(judgement, { ...clear, cosine: 1 })).toBe(judge(judgement, clear));
});
