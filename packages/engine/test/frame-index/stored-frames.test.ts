import { expect, test } from "vitest";
import type { FrameStore, StoredRange, StoredShot } from "../../src/frame-index/frame-store.ts";
import { openStoredViews } from "../../src/frame-index/stored-frames.ts";
import type { ImageDescription } from "../../src/image/image-description.ts";
import { packFrames, packPairs } from "../fixtures/pack-frames.ts";

const axes = {
  toAxes: (vector: ArrayLike<number>) => Float32Array.from(vector),
  fromAxes: (v: Float32Array) => v,
};
const vector = [1, 0.25];
const image = { views: [{ vector }] } as unknown as ImageDescription;

/** Frames of two episodes, each in the shot of this number. */
const stored = [
  { id: 1, number: 0, shot: 0, vector },
  { id: 1, number: 1, shot: 0, vector },
  { id: 1, number: 5, shot: 3, vector },
  { id: 2, number: 7, shot: 3, vector },
];
const pairs = stored.map(({ id, number }) => ({ id, number, vector: 0, cosine: 1 - number / 8 }));

/** Opens the frames of a store that returns `stored`, and more frames of a shot to a search for similar ones. */
function open(o: Partial<FrameStore> = {}) {
  const store: FrameStore = {
    findNearest: async () => ({ ...packFrames(stored), pairs: packPairs(pairs) }),
    readFrames: async () => packFrames([]),
    readStrips: async () => [],
    ...o,
  };
  return openStoredViews(store, axes).frames;
}

test("a search reads the strips of all its shots by one request, each once", async () => {
  const requests: (readonly StoredShot[])[] = [];
  const frames = open({
    readStrips: async (shots) => {
      requests.push(shots);
      // The shot 0 of episode 1 has two strips, and episode 2 has none.
      return shots.flatMap(({ episodeId, shot }) => {
        const strips = episodeId === 2 ? [] : shot === 0 ? [10, 11] : [30];
        return strips.map((value) => ({ episodeId, shot, bytes: Uint8Array.of(value) }));
      });
    },
  });
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

test("reads times, shots, vectors and thumbnails from the buffers of the store", async () => {
  const requests: (readonly StoredRange[])[] = [];
  const frames = open({
    readFrames: async (_, ranges) => {
      requests.push(ranges);
      return packFrames([{ ...stored[2], thumbnail: 7 } as never, { ...stored[3], thumbnail: 8 } as never]);
    },
  });
  const hits = await frames.findHits(image, { count: 4 });
  expect(hits.map(({ episode, frame, cosine }) => [episode.key, frame, cosine])).toEqual([
    ["episode 1", 0, 1],
    ["episode 1", 1, 0.875],
    ["episode 1", 5, 0.375],
    ["episode 2", 7, 0.125],
  ]);
  const [, , third, last] = hits;
  if (third === undefined || last === undefined) throw new Error("No hits.");
  expect(third.episode.table).toMatchObject({ aspect: 1.5, count: 9 });
  expect([third.episode.table.atSeconds[5], third.episode.table.shotOf[5]]).toEqual([5, 3]);
  expect(third.episode.table.shots[3]).toEqual({ fromSeconds: 5, toSeconds: 6 });
  // The last frame of a shot has no next one.
  expect(third.episode.table.atSeconds[6]).toBeUndefined();
  expect(frames.vectorOf(third)).toEqual(Float32Array.from(vector));
  expect(frames.thumbnailOf(third)).toBeUndefined();
  await frames.load([third, last]);
  expect(frames.thumbnailOf(third)).toEqual(new Uint8Array(480).fill(7));
  expect(frames.thumbnailOf(last)).toEqual(new Uint8Array(480).fill(8));
  await frames.load([third, last]);
  expect(requests).toEqual([
    [
      { episodeId: 1, shot: 3, first: 5, last: 5 },
      { episodeId: 2, shot: 3, first: 7, last: 7 },
    ],
  ]);
});

test("omits a frame that was removed while it was found", async () => {
  const frames = open({
    findNearest: async () => ({ ...packFrames(stored.slice(1)), pairs: packPairs(pairs) }),
  });
  expect((await frames.findHits(image, { count: 4 })).map(({ frame }) => frame)).toEqual([1, 5, 7]);
});

test("searches for more similar frames only when all of the first ones are similar", async () => {
  const counts: number[] = [];
  let similar = 0;
  const frames = open({
    findNearest: async ({ count }) => {
      counts.push(count);
      const found = stored.slice(0, 1);
      const all = Array.from({ length: Math.min(count, similar) }, () => pairs[0] as (typeof pairs)[number]);
      return { ...packFrames(found), pairs: packPairs(counts.length === 1 ? pairs.slice(0, 1) : all) };
    },
  });
  const [hit] = await frames.findHits(image, { count: 4 });
  if (hit === undefined) throw new Error("No hit.");
  const find = async (found: number) => {
    similar = found;
    counts.splice(1);
    return (await frames.findSimilar(hit, { count: 512, leastCosine: 0.8 })).length;
  };
  expect([await find(127), counts.slice(1)]).toEqual([127, [128]]);
  expect([await find(128), counts.slice(1)]).toEqual([128, [128, 512]]);
  expect([await find(600), counts.slice(1)]).toEqual([512, [128, 512]]);
});
