import { expect, test } from "vitest";
import type { FrameStore, NearFrame, StoredShot } from "../../src/frame-index/frame-store.ts";
import { openStoredViews } from "../../src/frame-index/stored-frames.ts";

const axes = {
  toAxes: (vector: ArrayLike<number>) => Float32Array.from(vector),
  fromAxes: (v: Float32Array) => v,
};

/** A frame of one of two episodes, in the shot of this number. */
function near(id: number, number: number, shot: number): NearFrame {
  const episode = { id, key: `episode ${id}`, aspect: 1.5, frameCount: 9 };
  const times = { atSeconds: number, nextAtSeconds: null, fromSeconds: number, toSeconds: number + 1 };
  const found = { vectors: [0], cosines: [1 - number / 100] };
  return { episode, number, frame: number, shot, ...times, vector: Float32Array.of(1, 0), ...found };
}

test("a search reads the strips of all its shots by one request, each once", async () => {
  const requests: (readonly StoredShot[])[] = [];
  const store: FrameStore = {
    findNearest: async () => [near(1, 0, 0), near(1, 1, 0), near(1, 5, 3), near(2, 7, 3)],
    readFrames: async () => [],
    readStrips: async (shots) => {
      requests.push(shots);
      // The shot 0 of episode 1 has two strips, and episode 2 has none.
      return shots.flatMap(({ episodeId, shot }) => {
        const strips = episodeId === 2 ? [] : shot === 0 ? [10, 11] : [30];
        return strips.map((value) => ({ episodeId, shot, bytes: Uint8Array.of(value) }));
      });
    },
  };
  const { frames } = openStoredViews(store, axes);
  const image = { views: [{ vector: Float32Array.of(1, 0) }] } as unknown as Parameters<
    typeof frames.findHits
  >[0];
  const hits = await frames.findHits(image, { count: 4 });
  expect(hits.map((hit) => frames.stripsOf(hit))).toEqual([[], [], [], []]);
  await frames.loadStrips(hits);
  expect(hits.map((hit) => frames.stripsOf(hit).map(([value]) => value))).toEqual([
    [10, 11],
    [10, 11],
    [30],
    [],
  ]);
  await frames.loadStrips(hits.slice(1));
  expect(requests).toEqual([
    [
      { episodeId: 1, shot: 0 },
      { episodeId: 1, shot: 3 },
      { episodeId: 2, shot: 3 },
    ],
  ]);
});
