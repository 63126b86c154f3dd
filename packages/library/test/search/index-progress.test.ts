import { expect, test } from "vitest";
import { createIndexProgress } from "../../src/search/index-progress.ts";

test("compares all episodes first, then those of later changes, and every minute all again", () => {
  let nowMs = 5000;
  const progress = createIndexProgress(() => nowMs);
  expect(progress.missingAfter(7n)).toBe(0n);
  // The index is not complete yet.
  nowMs += 1000;
  expect(progress.missingAfter(7n)).toBe(0n);
  progress.setComplete(7n);
  expect(progress.missingAfter(7n)).toBeUndefined();
  nowMs += 30_000;
  expect(progress.missingAfter(9n)).toBe(7n);
  progress.setComplete(9n);
  expect(progress.missingAfter(9n)).toBeUndefined();
  nowMs += 30_000;
  expect(progress.missingAfter(9n)).toBe(0n);
  progress.setComplete(9n);
  expect(progress.missingAfter(9n)).toBeUndefined();
});

test("compares all episodes of an empty library only once a minute", () => {
  let nowMs = 0;
  const progress = createIndexProgress(() => nowMs);
  expect(progress.missingAfter(0n)).toBe(0n);
  progress.setComplete(0n);
  expect(progress.missingAfter(0n)).toBeUndefined();
  nowMs += 60_000;
  expect(progress.missingAfter(0n)).toBe(0n);
});

test("compares all episodes of a database that was restored from an older backup", () => {
  const progress = createIndexProgress(() => 0);
  progress.setComplete(9n);
  expect(progress.missingAfter(4n)).toBe(0n);
});
