import { expect, test } from "vitest";
import { findPart } from "../../src/previews/pack-previews.ts";

const parts = [
  [0, 1.999],
  [2, 5.999],
  [8, 9],
].map(([fromSeconds = 0, toSeconds = 0]) => ({ fromSeconds, toSeconds, bytes: new Uint8Array() }));

test.each([
  ["inside one part", [3, 4], 2],
  ["at the last frame of a part", [1.999, 1.999], 0],
  ["over two parts, the one that shows most of it", [1, 2.5], 0],
  ["over two parts, the other one", [1.5, 4], 2],
  ["over all parts", [0, 30], 2],
  ["between two parts, the nearer one", [7.5, 7.5], 8],
  ["after the end", [60, 60], 8],
] as const)("finds the part of a range %s", (_name, [fromSeconds, toSeconds], expected) => {
  expect(findPart(parts, { fromSeconds, toSeconds })?.fromSeconds).toBe(expected);
  expect(findPart([], { fromSeconds, toSeconds })).toBeUndefined();
});
