import { expect, test } from "vitest";
import { frameKeyOf, shotKeyOf } from "../../src/frame-index/hit.ts";

test("shots and frames of a database with many episodes have keys of their own", () => {
  const firstLabel = 1_000_000 * 2 ** 24;
  const table = { aspect: 1, count: 3, atSeconds: [0, 1, 2], shotOf: [0, 1, 2], shots: [] };
  const hits = [0, 1, 2].map((frame) => ({ episode: { key: "episode", firstLabel, table }, frame }));
  expect(new Set(hits.map(shotKeyOf)).size).toBe(3);
  expect(new Set(hits.map(frameKeyOf)).size).toBe(3);
});
