import { type Engine, type EngineFrame, loadModel, openEngine } from "@koma/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawScene, playScenes } from "../fixtures/drawn-scenes.ts";

/** Of the films here. */
const aspect = 16 / 9;

let engine: Engine;

beforeAll(async () => {
  engine = await openEngine({ model: await loadModel(), workers: 2 });
});
afterAll(() => engine.close());

function still(pixels: Uint8Array, from: number, seconds: number): EngineFrame[] {
  return Array.from({ length: seconds * 12 }, (_, at) => ({ atSeconds: from + at / 12, pixels }));
}

async function* play(...parts: EngineFrame[][]) {
  yield* parts.flat();
}

describe("describing an episode", () => {
  it("cuts shots where the scenes change, with the times of their first and last frame", async () => {
    const frames = playScenes([11, 12, 13, 14], engine.frameStreamOptions);
    const { shots, shotOf, atSeconds, count, modelId } = await engine.describeEpisode(frames, { aspect });
    expect(modelId).toBe(engine.model.id);
    expect(shots).toHaveLength(4);
    for (const [shot, { fromSeconds, toSeconds }] of shots.entries()) {
      expect(fromSeconds).toBeCloseTo(shot * 2, 5);
      expect(toSeconds).toBeCloseTo(shot * 2 + 23 / 12, 5);
    }
    for (let frame = 0; frame < count; frame++) {
      const shot = shots[shotOf[frame] ?? -1];
      expect(atSeconds[frame]).toBeGreaterThanOrEqual(shot?.fromSeconds ?? Infinity);
      expect(atSeconds[frame]).toBeLessThanOrEqual(shot?.toSeconds ?? -1);
    }
  });

  it("keeps one frame of a still shot and none of a flat one, which ends the shot before it", async () => {
    const { width, height } = engine.frameStreamOptions;
    const [one, other] = [drawScene(21, width, height), drawScene(22, width, height)];
    const black = new Uint8Array(one.length);
    const { count, shots } = await engine.describeEpisode(
      play(still(one, 0, 5), still(black, 5, 2), still(other, 7, 3)),
      { aspect },
    );
    expect(count).toBe(2);
    expect(shots.map(({ fromSeconds }) => fromSeconds)).toEqual([0, 7]);
    expect(shots[0]?.toSeconds).toBeCloseTo(4.9167, 3);
  });

  it("keeps frames of a moving shot close enough for the right time", async () => {
    const { atSeconds } = await engine.describeEpisode(playScenes([31], engine.frameStreamOptions, 4), {
      aspect,
    });
    const gaps = Array.from(atSeconds.subarray(1), (at, frame) => at - (atSeconds[frame] ?? 0));
    expect(atSeconds[0]).toBe(0);
    expect(Math.max(...gaps)).toBeLessThan(1);
  });

  it("gives unit vectors, and the same ones each time", async () => {
    const describeOnce = () =>
      engine.describeEpisode(playScenes([41, 42], engine.frameStreamOptions), { aspect });
    const [one, other] = [await describeOnce(), await describeOnce()];
    expect(one).toEqual(other);
    const { dimensions } = engine.model;
    for (let frame = 0; frame < one.count; frame++) {
      const stored = one.vectors.subarray(frame * dimensions, (frame + 1) * dimensions);
      expect(Math.hypot(...stored) * (one.scales[frame] ?? 0)).toBeCloseTo(1, 1);
    }
  });

  it("may find nothing to keep", async () => {
    const black = new Uint8Array(engine.model.input.width * engine.model.input.height * 3);
    const { count, shots, vectors } = await engine.describeEpisode(play(still(black, 0, 2)), { aspect });
    expect([count, shots.length, vectors.length]).toEqual([0, 0, 0]);
  });

  it("leaves out frames whose time goes back", async () => {
    const { width, height } = engine.frameStreamOptions;
    const frames = [5, 3, 4, 6].map((atSeconds) => ({
      atSeconds,
      pixels: drawScene(atSeconds, width, height),
    }));
    const { atSeconds } = await engine.describeEpisode(play(frames), { aspect });
    expect([...atSeconds]).toEqual([5, 6]);
  });
});

describe("while an episode is described", () => {
  it("asks for frames no faster than they are described, and tells how far it is", async () => {
    const { width, height } = engine.frameStreamOptions;
    const seen: number[] = [];
    const scenes = Array.from({ length: 40 }, (_, seed) => drawScene(seed + 100, width, height));
    async function* many() {
      for (let frame = 0; frame < 2000; frame++)
        yield { atSeconds: frame / 12, pixels: scenes[frame % 40] ?? new Uint8Array(0) };
    }
    let turns = 0;
    let waiting = setImmediate(function turn() {
      turns++;
      waiting = setImmediate(turn);
    });
    const { count } = await engine.describeEpisode(many(), { aspect, onProgress: (at) => seen.push(at) });
    clearImmediate(waiting);
    expect(count).toBe(2000);
    expect(seen).toHaveLength(2000);
    // Not a measure of time, which other processes of the machine take: the event loop comes round every few batches of 16.
    expect(turns).toBeGreaterThan(40);
  });

  it("stops when told to, and ends the stream of frames", async () => {
    const leaving = new AbortController();
    let isEnded = false;
    async function* endless() {
      try {
        for (let frame = 0; ; frame++) {
          if (frame === 100) leaving.abort(new Error("left"));
          yield {
            atSeconds: frame,
            pixels: drawScene(frame % 5, engine.model.input.width, engine.model.input.height),
          };
        }
      } finally {
        isEnded = true;
      }
    }
    await expect(engine.describeEpisode(endless(), { aspect, signal: leaving.signal })).rejects.toThrow(
      "left",
    );
    expect(isEnded).toBe(true);
  });

  it("ends without a trace when the engine is closed under way", async () => {
    const { width, height } = engine.frameStreamOptions;
    for (let round = 0; round < 5; round++) {
      const closing = await openEngine({ model: engine.model, workers: 2 });
      async function* frames() {
        for (let frame = 0; frame < 200; frame++) {
          if (frame === 64) void closing.close();
          yield { atSeconds: frame, pixels: drawScene(frame % 7, width, height) };
        }
      }
      await expect(closing.describeEpisode(frames(), { aspect })).rejects.toThrow("closed");
      await closing.close();
      await expect(closing.describeImage(Uint8Array.of(1))).rejects.toThrow("closed");
    }
  });

  it("passes on what the frames throw, and refuses frames of another size", async () => {
    async function* broken() {
      yield { atSeconds: 0, pixels: drawScene(1, engine.model.input.width, engine.model.input.height) };
      throw new Error("unreadable");
    }
    await expect(engine.describeEpisode(broken(), { aspect })).rejects.toThrow("unreadable");
    await expect(
      engine.describeEpisode(play([{ atSeconds: 0, pixels: new Uint8Array(9) }]), { aspect }),
    ).rejects.toThrow(RangeError);
  });
});
