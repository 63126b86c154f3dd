import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import {
  CorruptDescriptorsError,
  type EpisodeDescriptors,
  encodeDescriptorChunks,
  encodeFrameTable,
  type FrameIndex,
  loadModel,
  type Model,
  openFrameIndex,
} from "@koma/engine";
import { createRandom } from "@koma/testing/drawing";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createEpisode, createImage, createVectors, frameTime, unit } from "./fixtures/descriptors.ts";

let model: Model;
const opened: FrameIndex[] = [];

beforeAll(async () => {
  model = await loadModel();
});
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

async function open(): Promise<FrameIndex> {
  const index = await openFrameIndex({ model });
  opened.push(index);
  return index;
}

const vectorsOf = (seed: number, count = 200) => createVectors(seed, count, model.dimensions);
const episodeOf = (seed: number, count = 200) => createEpisode(model.id, vectorsOf(seed, count));
const store = (episode: EpisodeDescriptors) => ({
  frameTable: encodeFrameTable(episode),
  chunks: encodeDescriptorChunks(episode, 262_144),
});

function disturb(vector: Float32Array, seed: number, amount = 0.03): Float32Array {
  const random = createRandom(seed).next;
  return unit(vector.map((value) => value + amount * (random() - 0.5) * 2));
}

describe("frame index", () => {
  it("finds frames in their episodes at their times", async () => {
    const index = await open();
    for (const seed of [1, 2, 3]) await index.add(`e${seed}`, episodeOf(seed));
    for (const frame of [0, 57, 199]) {
      const vector = disturb(vectorsOf(2)[frame] ?? new Float32Array(0), frame);
      const [first] = await index.search(createImage(model, vector), { limit: 5 });
      expect(first).toMatchObject({
        episodeKey: "e2",
        atSeconds: frameTime(model, frame),
        isConfident: true,
        isMirrored: false,
      });
      expect(first?.fromSeconds).toBe(Math.floor(frame / 10) * 5);
      expect(first?.toSeconds).toBe(Math.floor(frame / 10) * 5 + 4.5);
    }
  });

  it("is empty at first and accepts episodes without frames", async () => {
    const index = await open();
    const image = createImage(model, vectorsOf(1)[0] ?? new Float32Array(0));
    expect(await index.search(image, { limit: 5 })).toEqual([]);
    await index.add("none", createEpisode(model.id, []));
    await index.add("e1", episodeOf(1));
    expect((await index.search(image, { limit: 1 }))[0]?.episodeKey).toBe("e1");
    expect(await index.stats()).toMatchObject({ frames: 200, episodes: 2 });
  });

  it("returns the requested number of scenes when the frames of one long shot are nearest", async () => {
    const index = await open();
    const [centre] = vectorsOf(9, 1);
    const still = Array.from({ length: 300 }, (_, at) => disturb(centre ?? new Float32Array(0), at, 0.01));
    await index.add("still", createEpisode(model.id, still, 300));
    await index.add("other", episodeOf(4));
    const scenes = await index.search(createImage(model, still[7] ?? new Float32Array(0)), { limit: 10 });
    expect(scenes).toHaveLength(10);
    expect(scenes.map(({ episodeKey }) => episodeKey)).toEqual(["still", ...Array(9).fill("other")]);
  });

  it("searches only the given episodes", async () => {
    const index = await open();
    for (let seed = 1; seed <= 5; seed++) await index.add(`e${seed}`, episodeOf(seed));
    const image = createImage(model, vectorsOf(2)[33] ?? new Float32Array(0));
    const among = async (...keys: string[]) => index.search(image, { limit: 3, episodeKeys: new Set(keys) });
    expect((await among("e2", "e4"))[0]).toMatchObject({ episodeKey: "e2", atSeconds: frameTime(model, 33) });
    expect(new Set((await among("e3", "e4")).map(({ episodeKey }) => episodeKey)).has("e2")).toBe(false);
    expect((await among("e5"))[0]).toMatchObject({ episodeKey: "e5", isConfident: false });
    expect(await among("unknown")).toEqual([]);
  });

  it("rejects descriptors and images of another model", async () => {
    const index = await open();
    await expect(index.add("x", { ...episodeOf(1), modelId: "other" })).rejects.toThrow(RangeError);
    const image = { ...createImage(model, vectorsOf(1)[0] ?? new Float32Array(0)), modelId: "other" };
    await expect(index.search(image, { limit: 1 })).rejects.toThrow(RangeError);
  });
});

describe("frame index changes", () => {
  const search = async (index: FrameIndex, seed: number, frame = 3) => {
    const vector = vectorsOf(seed)[frame] ?? new Float32Array(0);
    return (await index.search(createImage(model, vector), { limit: 1 }))[0];
  };

  it("removes an episode and ignores a second removal", async () => {
    const index = await open();
    await index.add("a", episodeOf(1));
    await index.add("b", episodeOf(2));
    await index.remove("a");
    await index.remove("a");
    await index.remove("never there");
    expect(await search(index, 1)).toMatchObject({ episodeKey: "b", isConfident: false });
    expect(await index.stats()).toMatchObject({ frames: 200, episodes: 1 });
  });

  it("replaces an episode atomically for searches", async () => {
    const index = await open();
    await index.add("a", episodeOf(1, 2000));
    const either = createImage(model, vectorsOf(1)[3] ?? new Float32Array(0));
    either.views.push({ vector: vectorsOf(2)[3] ?? new Float32Array(0), region: null, isMirrored: false });
    let seed = 1;
    // On a busy machine few searches run during one replacement.
    for (let searches = 0; searches < 4; ) {
      seed = 3 - seed;
      let isDone = false;
      const done = index.add("a", episodeOf(seed, 2000)).then(() => {
        isDone = true;
      });
      while (!isDone) {
        // One of the two is stored, and never both.
        const scenes = await index.search(either, { limit: 5 });
        expect(scenes.filter(({ isConfident }) => isConfident)).toHaveLength(1);
        searches++;
      }
      await done;
    }
    expect(await search(index, 3 - seed)).toMatchObject({ isConfident: false });
    expect(await search(index, seed)).toMatchObject({ episodeKey: "a", isConfident: true });
    expect(await index.stats()).toMatchObject({ frames: 2000, episodes: 1 });
  });

  it("needs less than 260 bytes of memory for each further frame", async () => {
    const index = await open();
    for (const seed of [1, 2]) await index.add(`e${seed}`, episodeOf(seed, 4000));
    const before = await index.stats();
    // The memory grows by 1 MiB at a time: 33 bytes for each of 32,000 frames.
    for (const seed of [3, 4, 5, 6, 7, 8, 9, 10]) await index.add(`e${seed}`, episodeOf(seed, 4000));
    const after = await index.stats();
    expect((after.memoryBytes - before.memoryBytes) / (after.frames - before.frames)).toBeLessThan(260);
    expect(before.memoryBytes).toBeLessThan(16e6);
  });

  it("blocks neither the event loop of the caller nor searches while it adds episodes", async () => {
    const index = await open();
    await index.add("e1", episodeOf(1));
    const large = episodeOf(2, 3000);
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    const adding = index.add("e2", large).then(() => "added");
    const searching = search(index, 1).then(() => "searched");
    expect(await Promise.race([adding, searching])).toBe("searched");
    await adding;
    delay.disable();
    expect(delay.percentile(75) / 1e6).toBeLessThan(20);
  });

  it("adds stored episodes and keeps its content when they are damaged", async () => {
    const index = await open();
    await index.addStored("a", store(episodeOf(1)));
    expect(await search(index, 1)).toMatchObject({
      episodeKey: "a",
      atSeconds: frameTime(model, 3),
      isConfident: true,
    });
    const { frameTable, chunks } = store(episodeOf(2));
    chunks[0]?.fill(7, 5000, 5100);
    const error = await index.addStored("a", { frameTable, chunks }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(CorruptDescriptorsError);
    expect(error.message).toBe("The stored descriptors cannot be used. The chunk for frame 0 is corrupt.");
    expect(await search(index, 1)).toMatchObject({ episodeKey: "a", isConfident: true });
  });

  it("transfers stored episodes to its thread, which decodes them", async () => {
    const index = await open();
    const stored = store(episodeOf(1, 100));
    await index.addStored("e", stored);
    expect([stored.frameTable, ...stored.chunks].map((bytes) => bytes.byteLength)).toEqual([0, 0]);
    expect((await index.stats()).frames).toBe(100);
  });

  it("completes pending calls before it closes and rejects later ones", async () => {
    const index = await open();
    const adding = index.add("e", episodeOf(1));
    await Promise.all([index.close(), expect(adding).resolves.toBeUndefined()]);
    await expect(index.stats()).rejects.toThrow("closed");
    await index.close();
  });

  it("rejects pending calls and resolves `failed` when its thread exits", async () => {
    const starting: Promise<Worker[]> = once(process, "worker");
    const index = await open();
    const [thread] = await starting;
    const adding = index.add("e", episodeOf(1, 3000));
    await Promise.all([expect(adding).rejects.toThrow("exited"), thread?.terminate()]);
    expect((await index.failed).message).toMatch("exited");
    await expect(index.stats()).rejects.toThrow("exited");
  });

  it("does not resolve `failed` when it is closed", async () => {
    const index = await open();
    await index.close();
    expect(await Promise.race([index.failed, pause(100, "silent")])).toBe("silent");
  });
});
