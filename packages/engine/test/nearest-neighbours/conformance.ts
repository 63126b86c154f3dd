import { describe, expect, it, onTestFinished } from "vitest";
import { createEpisode, createView, dimensions, findExactly } from "./seeded-vectors.ts";

type FrameRef = { episodeKey: string; frame: number };
type NearestFrame = FrameRef & { cosine: number };

/** Nearest neighbours among the vectors of the frames of all episodes. */
export type VectorIndex = {
  add(episodeKey: string, vectors: Int8Array): Promise<void>;
  remove(episodeKey: string): Promise<void>;
  search(
    views: readonly Float32Array[],
    options: { count: number; episodeKeys?: ReadonlySet<string> },
  ): Promise<NearestFrame[][]>;
  vectorsOf(frames: readonly FrameRef[]): Promise<(Float32Array | undefined)[]>;
  stats(): Promise<{ frames: number; episodes: number; memoryBytes: number }>;
  close(): Promise<void>;
};

/** The cosines of an implementation may differ from those of floats by this much. */
const COSINE_ERROR = 0.002;

/** Tests an index. `openIndex` opens an empty one for vectors of 128 dimensions. */
export function testVectorIndex(name: string, openIndex: () => Promise<VectorIndex>): void {
  const open = async () => {
    const index = await openIndex();
    onTestFinished(() => index.close());
    return index;
  };

  describe(name, () => {
    it("finds nothing while it is empty", async () => {
      const index = await open();
      expect(await index.search([createView(createEpisode(1, 1), 0)], { count: 10 })).toEqual([[]]);
      expect(await index.search([], { count: 10 })).toEqual([]);
      expect(await index.vectorsOf([{ episodeKey: "a", frame: 0 }])).toEqual([undefined]);
      expect(await index.stats()).toMatchObject({ frames: 0, episodes: 0 });
      await index.remove("a");
    });

    it("orders frames by cosine as exact search does", async () => {
      const index = await open();
      const episodes = new Map([1, 2, 3].map((seed) => [`episode ${seed}`, createEpisode(seed, 120)]));
      for (const [key, codes] of episodes) await index.add(key, codes);
      const views = [7, 60, 111].map((frame) => createView(episodes.get("episode 2") as Int8Array, frame));
      const found = await index.search(views, { count: 25 });
      expect(found).toHaveLength(3);
      for (const [at, view] of views.entries()) {
        const exact = findExactly(episodes, view).slice(0, 25);
        expect(found[at]).toHaveLength(25);
        for (const [rank, { cosine }] of (found[at] ?? []).entries()) {
          expect(Math.abs(cosine - (exact[rank]?.cosine ?? 0))).toBeLessThan(COSINE_ERROR);
        }
        expect(found[at]?.[0]).toMatchObject({ episodeKey: "episode 2", frame: exact[0]?.frame });
      }
    });

    it("finds each stored frame first by its own vector and returns that vector", async () => {
      const index = await open();
      const codes = createEpisode(5, 300);
      await index.add("a", codes);
      const frames = [0, 1, 31, 32, 33, 150, 299];
      const vectors = await index.vectorsOf(frames.map((frame) => ({ episodeKey: "a", frame })));
      const found = await index.search(vectors as Float32Array[], { count: 1 });
      for (const [at, frame] of frames.entries()) {
        expect(Math.hypot(...(vectors[at] as Float32Array))).toBeCloseTo(1, 2);
        expect(found[at]).toEqual([{ episodeKey: "a", frame, cosine: expect.closeTo(1, 2) }]);
      }
      const missing = [
        { episodeKey: "a", frame: 300 },
        { episodeKey: "a", frame: -1 },
        { episodeKey: "b", frame: 0 },
      ];
      expect(await index.vectorsOf(missing)).toEqual([undefined, undefined, undefined]);
    });

    it("returns each frame once when fewer are stored than requested", async () => {
      const index = await open();
      await index.add("a", createEpisode(1, 40));
      await index.add("b", createEpisode(2, 40));
      const [found] = await index.search([createView(createEpisode(1, 40), 3)], { count: 1000 });
      const names = (found ?? []).map(({ episodeKey, frame }) => `${episodeKey} ${frame}`);
      expect(names).toHaveLength(80);
      expect(new Set(names).size).toBe(80);
    });

    it("accepts an episode without frames", async () => {
      const index = await open();
      await index.add("empty", new Int8Array(0));
      expect(await index.stats()).toMatchObject({ frames: 0, episodes: 1 });
      expect(await index.search([createView(createEpisode(1, 1), 0)], { count: 5 })).toEqual([[]]);
    });

    it("stores equal frames and frames without content", async () => {
      const index = await open();
      const one = createEpisode(1, 1);
      await index.add(
        "alike",
        Int8Array.from({ length: 500 * dimensions }, (_, at) => one[at % dimensions] ?? 0),
      );
      await index.add("zero", new Int8Array(100 * dimensions));
      await index.add("other", createEpisode(2, 50));
      const [found] = await index.search([createView(one, 0, 0)], { count: 500 });
      expect(new Set(found?.map(({ episodeKey }) => episodeKey))).toEqual(new Set(["alike"]));
      expect(new Set(found?.map(({ frame }) => frame)).size).toBe(500);
      const [other] = await index.search([createView(createEpisode(2, 50), 9)], { count: 1 });
      expect(other).toMatchObject([{ episodeKey: "other", frame: 9 }]);
    });

    it("does not find a removed episode and finds it after it is added again", async () => {
      const index = await open();
      const [a, b] = [createEpisode(1, 200), createEpisode(2, 200)];
      await index.add("a", a);
      await index.add("b", b);
      await index.remove("a");
      const views = [createView(a, 20), createView(b, 20)];
      const found = await index.search(views, { count: 200 });
      for (const list of found) {
        expect(list).toHaveLength(200);
        expect(list.every(({ episodeKey }) => episodeKey === "b")).toBe(true);
      }
      expect(await index.vectorsOf([{ episodeKey: "a", frame: 20 }])).toEqual([undefined]);
      expect(await index.stats()).toMatchObject({ frames: 200, episodes: 1 });
      await index.add("a", a);
      const [again] = await index.search(views, { count: 1 });
      expect(again).toMatchObject([{ episodeKey: "a", frame: 20 }]);
    });

    it("replaces an episode", async () => {
      const index = await open();
      await index.add("a", createEpisode(1, 200));
      await index.add("a", createEpisode(2, 90));
      expect(await index.stats()).toMatchObject({ frames: 90, episodes: 1 });
      const [found] = await index.search([createView(createEpisode(2, 90), 80)], { count: 500 });
      expect(found).toHaveLength(90);
      expect(found?.[0]).toMatchObject({ episodeKey: "a", frame: 80 });
    });

    it("searches only the given episodes", async () => {
      const index = await open();
      const episodes = new Map(Array.from({ length: 30 }, (_, at) => [`e${at}`, createEpisode(at, 100)]));
      for (const [key, codes] of episodes) await index.add(key, codes);
      const view = createView(episodes.get("e7") as Int8Array, 50);
      for (const keys of [["e3"], ["e3", "e9", "e28"], [...episodes.keys()].filter((key) => key !== "e7")]) {
        const episodeKeys = new Set(keys);
        const [found] = await index.search([view], { count: 20, episodeKeys });
        expect(found).toHaveLength(20);
        expect(found?.every(({ episodeKey }) => episodeKeys.has(episodeKey))).toBe(true);
        const exact = findExactly(new Map([...episodes].filter(([key]) => episodeKeys.has(key))), view);
        expect(found?.[0]).toMatchObject({ episodeKey: exact[0]?.episodeKey, frame: exact[0]?.frame });
      }
      const nothing = await index.search([view], { count: 20, episodeKeys: new Set(["unknown"]) });
      expect(nothing).toEqual([[]]);
    });

    it("rejects vectors of other dimensions and stays unchanged", async () => {
      const index = await open();
      const codes = createEpisode(1, 10);
      await index.add("a", codes);
      await expect(index.add("b", new Int8Array(100))).rejects.toThrow(RangeError);
      await expect(index.search([new Float32Array(64)], { count: 1 })).rejects.toThrow(RangeError);
      expect(await index.stats()).toMatchObject({ frames: 10, episodes: 1 });
    });

    it("returns whole episodes only while they change", async () => {
      const index = await open();
      await index.add("stays", createEpisode(0, 300));
      const [old, fresh] = [createEpisode(1, 700), createEpisode(2, 1500)];
      await index.add("a", old);
      const counts = new Set<number>();
      const view = createView(createEpisode(0, 300), 100);
      let isDone = false;
      const searching = (async () => {
        while (!isDone) {
          const [found] = await index.search([view], { count: 5000 });
          counts.add(found?.filter(({ episodeKey }) => episodeKey === "a").length ?? 0);
          expect(found?.filter(({ episodeKey }) => episodeKey === "stays")).toHaveLength(300);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      await index.add("a", fresh);
      await index.remove("a");
      await index.add("a", old);
      isDone = true;
      await searching;
      const [last] = await index.search([view], { count: 5000 });
      expect(last).toHaveLength(1000);
      expect([0, 700, 1500]).toEqual(expect.arrayContaining([...counts]));
    });

    it("finds 98 % of the nearest 100 frames of noisy views among 10,000 frames", async () => {
      const index = await open();
      const episodes = new Map(
        Array.from({ length: 10 }, (_, at) => [`e${at}`, createEpisode(at + 1, 1000)]),
      );
      for (const [key, codes] of episodes) await index.add(key, codes);
      const views = Array.from({ length: 40 }, (_, at) =>
        createView(episodes.get(`e${at % 10}`) as Int8Array, (at * 37) % 1000, 0.04),
      );
      const found = await index.search(views, { count: 100 });
      let hits = 0;
      let firsts = 0;
      for (const [at, view] of views.entries()) {
        const exact = findExactly(episodes, view).slice(0, 100);
        const names = new Set(found[at]?.map(({ episodeKey, frame }) => `${episodeKey} ${frame}`));
        hits += exact.filter(({ episodeKey, frame }) => names.has(`${episodeKey} ${frame}`)).length;
        firsts += Number(names.has(`${exact[0]?.episodeKey} ${exact[0]?.frame}`));
      }
      expect(firsts).toBe(views.length);
      expect(hits / (views.length * 100)).toBeGreaterThanOrEqual(0.98);
    });
  });
}
