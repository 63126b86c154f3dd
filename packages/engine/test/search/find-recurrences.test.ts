import { expect, test } from "vitest";
import type { Hit } from "../../src/frame-index/hit.ts";
import { findRecurrences } from "../../src/search/find-recurrences.ts";

const count = 20;
/** Five frames in each shot. */
const shotOf = Array.from({ length: count }, (_, frame) => Math.floor(frame / 5));
const table = { aspect: 1.5, count, atSeconds: Array.from(shotOf.keys()), shotOf, shots: [] };
const episode = { key: "episode", firstLabel: 0, table };
const hitAt = (frame: number): Hit => ({ episode, frame, view: 0, cosine: 1 - frame / 100 });

test("compares the three most similar frames of each other shot, and reads no others", async () => {
  const requests: number[][] = [];
  // Frame 12 looks like frame 0; frame 8 would, and is the fourth of its shot.
  const alike = new Set([0, 8, 12, 13]);
  const thumbnailOf = ({ frame }: Hit) =>
    Uint8Array.from({ length: 480 }, (_, at) => (alike.has(frame) ? at : at * at * (frame + 1)));
  const found = await findRecurrences(hitAt(0), {
    neighboursOf: async () => [1, 5, 6, 7, 8, 2, 10, 12, 13, 14].map(hitAt),
    load: async (hits) => void requests.push(hits.map(({ frame }) => frame)),
    thumbnailOf,
  });
  expect(requests).toEqual([[0], [5, 6, 7, 10, 12, 13]]);
  expect(found.map(({ frame }) => frame)).toEqual([12]);
});
