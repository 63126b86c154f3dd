import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { createRandom } from "@koma/testing/drawing";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { createFrameLists } from "../../src/nearest-neighbours/frame-lists.ts";
import { createFrameSearcher } from "../../src/nearest-neighbours/frame-searcher.ts";
import { type LabelRange, REUSE_AFTER_MS } from "../../src/nearest-neighbours/label-ranges.ts";
import { codeOf, createEpisode, createView, dimensions, findExactly, toUnit } from "./seeded-vectors.ts";

afterEach(() => void vi.useRealTimers());

const everything = { leaves: 65_536, frames: 2 ** 31, spread: 2 };

it("rejects dimensions that its kernel does not support", () => {
  for (const size of [0, 8, 100, 1040, -16, 16.5]) expect(() => createFrameLists(size)).toThrow(RangeError);
});

it("rejects vectors of other dimensions and stays unchanged", async () => {
  const lists = createFrameLists(dimensions);
  lists.show(await lists.add(createEpisode(1, 10)));
  await expect(lists.add(new Int8Array(100))).rejects.toThrow(RangeError);
  expect(() => lists.search([new Float32Array(64)], { count: 1 })).toThrow(RangeError);
  expect(lists.stats().frames).toBe(10);
});

it("stores equal frames and frames without content", async () => {
  const lists = createFrameLists(dimensions);
  const one = createEpisode(1, 1);
  const alike = Int8Array.from({ length: 500 * dimensions }, (_, at) => one[at % dimensions] ?? 0);
  const ranges: LabelRange[] = [];
  for (const codes of [alike, new Int8Array(100 * dimensions), createEpisode(2, 50)]) {
    ranges.push(await lists.add(codes));
    lists.show(ranges.at(-1) as LabelRange);
  }
  const [found = []] = lists.search([createView(one, 0, 0)], { count: 500 });
  expect(new Set(found.map(({ label }) => label)).size).toBe(500);
  expect(Math.max(...found.map(({ label }) => label))).toBeLessThan(ranges[0]?.end ?? 0);
  const [other] = lists.search([createView(createEpisode(2, 50), 9)], { count: 1 });
  expect(other?.[0]?.label).toBe((ranges[2]?.first ?? 0) + 9);
});

it("supports other dimensions", async () => {
  for (const size of [16, 64, 256, 1024]) {
    const lists = createFrameLists(size);
    const random = createRandom(size).next;
    const codes = Int8Array.from({ length: 300 * size }, () => Math.round((random() - 0.5) * 254));
    lists.show(await lists.add(codes));
    for (const label of [0, 150, 299]) {
      const [found] = lists.search([lists.vectorOf(label) as Float32Array], { count: 3 });
      expect(found?.[0]).toEqual({ label, cosine: expect.closeTo(1, 3) });
    }
  }
});

it.each([0, REUSE_AFTER_MS])(
  "contains the same frames as a list of episodes after random additions and removals, %i ms apart",
  async (gapMs) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed).next;
      const lists = createFrameLists(dimensions);
      const stored = new Map<string, { range: LabelRange; codes: Int8Array }>();
      for (let step = 0; step < 60; step++) {
        const key = `${Math.floor(random() * 12)}`;
        const old = stored.get(key);
        vi.advanceTimersByTime(gapMs);
        if (old !== undefined) {
          await lists.remove(old.range);
          stored.delete(key);
        }
        if (random() < 0.7) {
          const codes = createEpisode(step + 100 * seed, Math.floor(random() ** 3 * 1500));
          const range = await lists.add(codes);
          lists.show(range);
          await lists.refine(range.end - range.first);
          stored.set(key, { range, codes });
        }
      }
      const frames = [...stored.values()].reduce((sum, { range }) => sum + range.end - range.first, 0);
      expect(lists.stats().frames).toBe(frames);
      const [some] = [...stored.values()];
      const view = createView(some?.codes ?? new Int8Array(dimensions), 0);
      const [found] = lists.search([view], { count: frames + 10, effort: everything });
      const labels = found?.map(({ label }) => label) ?? [];
      expect(new Set(labels).size).toBe(frames);
      expect(labels).toHaveLength(frames);
      const exact = findExactly(new Map([...stored].map(([key, { codes }]) => [key, codes])), view);
      for (const [rank, { episodeKey, frame, cosine }] of exact.entries()) {
        expect(found?.[rank]?.cosine).toBeCloseTo(cosine, 3);
        const range = stored.get(episodeKey)?.range as LabelRange;
        expect(labels.includes(range.first + frame)).toBe(true);
      }
    }
  },
);

it("frees the memory of removed frames", async () => {
  const lists = createFrameLists(dimensions);
  const sizes: number[] = [];
  for (let round = 0; round < 8; round++) {
    const range = await lists.add(createEpisode(round, 6000));
    lists.show(range);
    sizes.push(lists.stats().memoryBytes);
    await lists.remove(range);
    expect(lists.stats()).toMatchObject({ frames: 0 });
  }
  expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[1] ?? 0) + (1 << 20));
  expect(lists.stats().leaves).toBeLessThan(4);
});

it("compares fewer frames when it searches some episodes than when it searches all", async () => {
  const lists = createFrameLists(dimensions);
  const ranges: LabelRange[] = [];
  for (let at = 0; at < 40; at++) {
    const range = await lists.add(createEpisode(at, 500));
    lists.show(range);
    ranges.push(range);
  }
  const views = [0, 1, 2, 3].map((at) => createView(createEpisode(at, 500), 100));
  const count = 100;
  const all = lists.search(views, { count });
  const inAll = new Set(all[0]?.map(({ label }) => label));
  const most = lists.search(views, { count, ranges: ranges.slice(0, 39) });
  expect(most[0]?.filter(({ label }) => inAll.has(label)).length).toBeGreaterThan(80);
  expect(most[0]?.every(({ label }) => label < (ranges[39]?.first ?? 0))).toBe(true);
});

it("finds only frames of the given episodes after a search in more episodes", async () => {
  const lists = createFrameLists(dimensions);
  const ranges: LabelRange[] = [];
  for (let at = 0; at < 20; at++) {
    const range = await lists.add(createEpisode(at, 500));
    lists.show(range);
    ranges.push(range);
  }
  const views = [15, 16, 17, 18].map((at) => createView(createEpisode(at, 500), 100));
  // Both searches read a bit per label. The bits of the second one end before labels that those of the first
  // one contain.
  const [found] = lists.search(views, { count: 10, ranges });
  expect(found?.[0]?.label).toBeGreaterThanOrEqual(ranges[15]?.first ?? 0);
  for (const neighbours of lists.search(views, { count: 100, ranges: ranges.slice(0, 12) })) {
    expect(neighbours).toHaveLength(100);
    expect(Math.max(...neighbours.map(({ label }) => label))).toBeLessThan(ranges[12]?.first ?? 0);
  }
});

it("finds nothing in an empty set of episodes", async () => {
  const lists = createFrameLists(dimensions);
  const codes = createEpisode(1, 300);
  lists.show(await lists.add(codes));
  expect(lists.search([createView(codes, 5)], { count: 10, ranges: [] })).toEqual([[]]);
});

it("finds 98 % of the nearest 100 of 60,000 frames by comparing less than half of them", async () => {
  const lists = createFrameLists(dimensions);
  const episodes = Array.from({ length: 12 }, (_, at) => createEpisode(at + 1, 5000));
  for (const codes of episodes) {
    lists.show(await lists.add(codes));
    await lists.refine(5000);
  }
  const searcher = createFrameSearcher(lists.memory, 1);
  const views = episodes.flatMap((codes) => [17, 2500, 4711].map((frame) => createView(codes, frame, 0.04)));
  const exact = searcher.search(views, { count: 100, effort: everything });
  const all = searcher.comparisons();
  const found = searcher.search(views, { count: 100 });
  expect(searcher.comparisons()).toBeLessThan(all / 2);
  let hits = 0;
  for (const [at, neighbours] of found.entries()) {
    const labels = new Set(neighbours.map(({ label }) => label));
    hits += exact[at]?.filter(({ label }) => labels.has(label)).length ?? 0;
    expect(neighbours[0]).toEqual(exact[at]?.[0]);
  }
  expect(hits / (views.length * 100)).toBeGreaterThanOrEqual(0.98);
});

it("finds the same frames in principal axes", async () => {
  const bytes = await readFile(new URL("../../models/koma-1/principal-axes.bin", import.meta.url));
  const axes = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const [plain, rotated] = [createFrameLists(dimensions), createFrameLists(dimensions, axes)];
  const codes = createEpisode(1, 3000);
  for (const lists of [plain, rotated]) lists.show(await lists.add(codes));
  const views = [3, 1500, 2999].map((frame) => createView(codes, frame));
  const expected = plain.search(views, { count: 10 });
  for (const [at, neighbours] of rotated.search(views, { count: 10 }).entries()) {
    expect(neighbours[0]?.label).toBe(expected[at]?.[0]?.label);
    for (const [rank, { cosine }] of neighbours.entries()) {
      expect(Math.abs(cosine - (expected[at]?.[rank]?.cosine ?? 0))).toBeLessThan(0.005);
    }
  }
  const own = toUnit(codeOf(codes, 42));
  const vector = rotated.vectorOf(42) ?? new Float32Array();
  expect(vector.reduce((sum, value, at) => sum + value * (own[at] ?? 0), 0)).toBeGreaterThan(0.999);
});

it("returns whole episodes, each frame once, to other threads during changes", async () => {
  const lists = createFrameLists(dimensions);
  const stays = await lists.add(createEpisode(0, 2000));
  lists.show(stays);
  const views = [5, 999, 1990].map((frame) => createView(createEpisode(0, 2000), frame));
  const expected = lists.search(views, { count: 30, ranges: [stays], effort: everything });
  const threads = [1, 2].map((reader) =>
    startSearches({ memory: lists.memory, reader, views, stays, expected }),
  );
  await Promise.all(threads.map(({ started }) => started));
  for (let round = 0; round < 12; round++) {
    const range = await lists.add(createEpisode(round + 1, 3000));
    lists.show(range);
    await lists.refine(3000);
    if (round % 3 !== 2) await lists.remove(range);
  }
  for (const { stop, result } of threads) {
    stop();
    const { searches, faults } = await result;
    expect(faults).toEqual([]);
    expect(searches).toBeGreaterThan(0);
  }
});

function startSearches(workerData: object) {
  const worker = new Worker(new URL("./search-thread.mjs", import.meta.url), { workerData });
  onTestFinished(async () => void (await worker.terminate()));
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const result = new Promise<{ searches: number; faults: string[] }>((resolve, reject) => {
    worker.on("message", (message) => (message === "started" ? start() : resolve(message)));
    worker.on("error", reject);
  });
  return { started, result, stop: () => worker.postMessage("stop") };
}
