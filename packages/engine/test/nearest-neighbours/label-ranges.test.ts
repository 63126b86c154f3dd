import { afterEach, expect, it, vi } from "vitest";
import { createLabelRanges, REUSE_AFTER_MS } from "../../src/nearest-neighbours/label-ranges.ts";

afterEach(() => void vi.useRealTimers());

it("assigns a released range again only when no search can hold its labels any more", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const labels = createLabelRanges();
  const first = labels.take(100);
  expect(labels.take(50)).toEqual({ first: 100, end: 150 });
  labels.release(first);
  vi.advanceTimersByTime(REUSE_AFTER_MS - 1);
  expect(labels.take(60)).toEqual({ first: 150, end: 210 });
  vi.advanceTimersByTime(1);
  expect(labels.take(60)).toEqual({ first: 0, end: 60 });
  expect(labels.take(60)).toEqual({ first: 210, end: 270 });
  expect(labels.take(40)).toEqual({ first: 60, end: 100 });
});

it("assigns released ranges that are adjacent as one, and at once after a restart", () => {
  const labels = createLabelRanges();
  const ranges = [labels.take(10), labels.take(20), labels.take(30)];
  for (const range of ranges.slice(0, 2)) labels.release(range);
  expect(labels.state()).toEqual({ nextLabel: 60, freeRanges: [{ first: 0, end: 30 }] });
  expect(createLabelRanges(labels.state()).take(30)).toEqual({ first: 0, end: 30 });
});
