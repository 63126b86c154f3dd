import { mkdtemp, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { hasHnswlib } from "@koma/testing";
import { createRandom } from "@koma/testing/drawing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createFrameGraph,
  type FrameGraph,
  type Hnswlib,
  loadHnswlib,
  readFrameGraph,
} from "../../src/nearest-neighbours/frame-graph.ts";
import { createFrameLists } from "../../src/nearest-neighbours/frame-lists.ts";
import type { FrameVectors } from "../../src/nearest-neighbours/frame-vectors.ts";
import { type LabelRange, REUSE_AFTER_MS } from "../../src/nearest-neighbours/label-ranges.ts";
import { createEpisode, createView, dimensions, findExactly } from "./seeded-vectors.ts";

type Stored = { range: LabelRange; codes: Int8Array };

async function addTo(vectors: FrameVectors, codes: Int8Array): Promise<LabelRange> {
  const range = await vectors.add(codes);
  vectors.show(range);
  await vectors.refine(range.end - range.first);
  return range;
}

/** Returns the share of the nearest 100 frames that a search finds, by their cosines. */
function measureFound(vectors: FrameVectors, stored: readonly Stored[], views: readonly Float32Array[]) {
  const episodes = new Map(stored.map(({ codes }, at) => [`${at}`, codes]));
  const shares = views.map((view, at) => {
    const leastCosine = findExactly(episodes, view)[99]?.cosine ?? 1;
    const found = vectors.search(views, { count: 100 })[at] ?? [];
    return found.filter(({ cosine }) => cosine >= leastCosine - 0.002).length / 100;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

afterEach(() => void vi.useRealTimers());

describe.skipIf(!hasHnswlib())("frames in a graph (needs hnswlib-node, compiled)", () => {
  let hnswlib: Hnswlib;
  let graph: FrameGraph;
  beforeEach(async () => {
    hnswlib = await loadHnswlib();
    graph = createFrameGraph(hnswlib, dimensions);
  });

  it("are found at least as often as in lists, also after all episodes were replaced", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const lists = createFrameLists(dimensions);
    const stored: Stored[] = [];
    // Up to 20,000 frames the lists compare all.
    for (let seed = 1; seed <= 7; seed++) {
      const codes = createEpisode(seed, 3000);
      await addTo(lists, codes);
      stored.push({ codes, range: await addTo(graph, codes) });
    }
    const views = stored.flatMap(({ codes }) => [17, 2500].map((frame) => createView(codes, frame)));
    const ofLists = measureFound(lists, stored, views);
    expect(measureFound(graph, stored, views)).toBeGreaterThanOrEqual(ofLists);
    const before = graph.stats();
    for (const episode of stored) {
      await graph.remove(episode.range);
      vi.advanceTimersByTime(REUSE_AFTER_MS);
      episode.range = await addTo(graph, episode.codes);
    }
    expect(graph.stats()).toEqual(before);
    expect(measureFound(graph, stored, views)).toBeGreaterThanOrEqual(ofLists);
  });

  it("are those of a list of episodes after random additions and removals", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    for (const seed of [1, 2, 3]) {
      graph = createFrameGraph(hnswlib, dimensions);
      const random = createRandom(seed).next;
      const stored = new Map<string, Stored>();
      for (let step = 0; step < 60; step++) {
        vi.advanceTimersByTime(random() * REUSE_AFTER_MS);
        const key = `${Math.floor(random() * 12)}`;
        const old = stored.get(key);
        if (old !== undefined) {
          await graph.remove(old.range);
          stored.delete(key);
        }
        if (random() < 0.3) continue;
        const codes = createEpisode(step + 100 * seed, 1 + Math.floor(random() ** 3 * 300));
        stored.set(key, { codes, range: await addTo(graph, codes) });
      }
      const used = [...stored.values()].flatMap(({ range: { first, end } }) =>
        Array.from({ length: end - first }, (_, at) => first + at),
      );
      for (const { codes, range } of stored.values()) {
        const [found = []] = graph.search([createView(codes, 0, 0.001)], { count: used.length });
        expect(found[0]).toEqual({ label: range.first, cosine: expect.any(Number) });
        expect(found.map(({ label }) => label).sort((a, b) => a - b)).toEqual(used.sort((a, b) => a - b));
      }
    }
  });

  it("are found in whole episodes, by searches while episodes are added and replaced", async () => {
    const codes = createEpisode(1, 2000);
    const old = await addTo(graph, codes);
    const view = createView(codes, 42);
    const adding = graph.add(codes);
    let searches = 0;
    const search = () => graph.search([view], { count: 100 })[0]?.map(({ label }) => label) ?? [];
    const isAdded = await vi.waitUntil(async () => {
      expect(Math.max(...search())).toBeLessThan(old.end);
      searches++;
      return (await Promise.race([adding, undefined])) !== undefined;
    }, 60_000);
    expect(isAdded && searches).toBeGreaterThan(2);
    const range = await adding;
    expect(Math.max(...search())).toBeLessThan(old.end);
    graph.show(range);
    const removed = graph.remove(old);
    expect(Math.min(...search())).toBeGreaterThanOrEqual(range.first);
    await removed;
    expect(graph.vectorOf(old.first)).toBeUndefined();
    expect(graph.vectorOf(range.first)).toHaveLength(dimensions);
  });

  it("are found among equal ones and among frames without content", async () => {
    const one = createEpisode(1, 1);
    const alike = Int8Array.from({ length: 500 * dimensions }, (_, at) => one[at % dimensions] ?? 0);
    const ranges: LabelRange[] = [];
    for (const codes of [alike, new Int8Array(100 * dimensions), createEpisode(2, 50)])
      ranges.push(await addTo(graph, codes));
    const [found = []] = graph.search([createView(one, 0, 0)], { count: 500 });
    expect(new Set(found.map(({ label }) => label)).size).toBe(500);
    expect(Math.max(...found.map(({ label }) => label))).toBeLessThan(ranges[0]?.end ?? 0);
    const [other] = graph.search([createView(createEpisode(2, 50), 9)], { count: 1 });
    expect(other?.[0]?.label).toBe((ranges[2]?.first ?? 0) + 9);
  });

  it("are limited to episodes, of which few are compared exactly and many through the graph", async () => {
    const ranges: LabelRange[] = [];
    for (let seed = 0; seed < 20; seed++) ranges.push(await addTo(graph, createEpisode(seed, 500)));
    const views = [15, 16].map((seed) => createView(createEpisode(seed, 500), 100, 0.001));
    for (const limits of [ranges.slice(15, 17), ranges.slice(3, 19)]) {
      const [first, second] = graph.search(views, { count: 200, ranges: limits });
      expect(first?.[0]?.label).toBe((ranges[15]?.first ?? 0) + 100);
      expect(second?.[0]?.label).toBe((ranges[16]?.first ?? 0) + 100);
      for (const neighbours of [first ?? [], second ?? []]) {
        expect(neighbours).toHaveLength(200);
        const isWithin = ({ label }: { label: number }) =>
          limits.some(({ first, end }) => label >= first && label < end);
        expect(neighbours.every(isWithin)).toBe(true);
      }
    }
    expect(graph.search(views, { count: 10, ranges: [] })).toEqual([[], []]);
  });

  it("are restored from a file, in which the places of removed frames are free", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "koma-graph-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, "graph");
    const episodes = [1, 2, 3].map((seed) => createEpisode(seed, 400));
    const ranges: LabelRange[] = [];
    for (const codes of episodes) ranges.push(await addTo(graph, codes));
    const [first, removed, last] = ranges as [LabelRange, LabelRange, LabelRange];
    await graph.remove(removed);
    await graph.write(file);
    const restored = await readFrameGraph(hnswlib, file, dimensions, [last, first]);
    const views = episodes.slice(0, 2).map((codes) => createView(codes, 7, 0.001));
    const found = restored.search(views, { count: 1200 });
    expect(found).toEqual(graph.search(views, { count: 1200 }));
    expect(found[1]).toHaveLength(800);
    const added = await addTo(restored, episodes[1] as Int8Array);
    expect(added).toEqual(removed);
    expect(restored.stats()).toEqual(graph.stats());
    expect(restored.search(views, { count: 1 })[1]?.[0]?.label).toBe(removed.first + 7);
    for (const share of [0.99, 0.5, 0.01]) {
      await truncate(file, Math.floor((await stat(file)).size * share));
      await expect(readFrameGraph(hnswlib, file, dimensions, [first, last])).rejects.toThrow();
    }
  });
});
