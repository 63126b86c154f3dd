import { expect, it } from "vitest";
import { coverageOf } from "../../src/verification/view-coverage.ts";

const box = (x: number, y: number, width: number, height: number) =>
  [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ] as const;

it("returns the fraction of a view that a frame covers", () => {
  expect(coverageOf(box(-50, -20, 300, 200), box(0, 0, 100, 60))).toBe(1);
  expect(coverageOf(box(50, 0, 300, 200), box(0, 0, 100, 60))).toBe(0.5);
  expect(coverageOf(box(200, 0, 10, 10), box(0, 0, 100, 60))).toBe(0);
  const mirrored = [
    box(0, 0, 50, 60)[1],
    box(0, 0, 50, 60)[0],
    box(0, 0, 50, 60)[3],
    box(0, 0, 50, 60)[2],
  ] as const;
  expect(coverageOf(mirrored, box(0, 0, 100, 60))).toBe(0.5);
});
