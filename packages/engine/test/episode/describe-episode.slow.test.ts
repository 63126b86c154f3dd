import { type Engine, type EngineFrame, loadModel, openEngine } from "@koma/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawScene, playScenes } from "../fixtures/drawn-scenes.ts";

/** Aspect ratio of the test videos. */
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

describe("describeEpisode", () => {
  it("cuts shots where the scenes change and returns the times of their first and last frames", async () => {
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

  it("keeps one frame of a still shot and no frame of a flat one, which ends its shot", async () => {
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

  it("keeps frames of a moving shot close enough for an exact time", async () => {
    const { atSeconds } = await engine.describeEpisode(playScenes([31], engine.frameStreamOptions, 4), {
      aspect,
    });
    const gaps = Array.from(atSeconds.subarray(1), (at, frame) => at - (atSeconds[frame] ?? 0));
    expect(atSeconds[0]).toBe(0);
    expect(Math.max(...gaps)).toBeLessThan(1);
  });

  it("returns unit vectors", async () => {
    const { count, vectors, scales } = await engine.describeEpisode(
      playScenes([41], engine.frameStreamOptions),
      { aspect },
    );
    for (let frame = 0; frame < count; frame++) {
      const stored = vectors.subarray(frame * 128, (frame + 1) * 128);
      expect(Math.hypot(...stored) * (scales[frame] ?? 0)).toBeCloseTo(1, 1);
    }
  });

  it("returns no frames for a video without content", async () => {
    const black = new Uint8Array(engine.model.input.width * engine.model.input.height * 3);
    const { count, shots, vectors } = await engine.describeEpisode(play(still(black, 0, 2)), { aspect });
    expect([count, shots.length, vectors.length]).toEqual([0, 0, 0]);
  });

  it("skips frames whose time decreases", async () => {
    const { width, height } = engine.frameStreamOptions;
    const frames = [5, 3, 4, 6].map((atSeconds) => ({
      atSeconds,
      pixels: drawScene(atSeconds, width, height),
    }));
    const { atSeconds } = await engine.describeEpisode(play(frames), { aspect });
    expect([...atSeconds]).toEqual([5, 6]);
  });
});

describe("describeEpisode in progress", () => {
  it("reads frames no faster than it describes them and reports its progress", async () => {
    const { width, height } = engine.frameStreamOptions;
    const seen: number[] = [];
    const scenes = Array.from({ length: 40 }, (_, seed) => drawScene(seed + 100, width, height));
    async function* many() {
      for (let frame = 0; frame < 640; frame++)
        yield { atSeconds: frame / 12, pixels: scenes[frame % 40] ?? new Uint8Array(0) };
    }
    let iterations = 0;
    let waiting = setImmediate(function countIteration() {
      iterations++;
      waiting = setImmediate(countIteration);
    });
    const { count } = await engine.describeEpisode(many(), { aspect, onProgress: (at) => seen.push(at) });
    clearImmediate(waiting);
    expect(count).toBe(640);
    expect(seen).toHaveLength(640);
    // This counts iterations of the event loop (one every few batches of 16) and no time, which other processes
    // consume.
    expect(iterations).toBeGreaterThan(12);
  });

  it("stops on the signal and closes the frame stream", async () => {
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

  it("rejects when the engine closes during the call", async () => {
    const { width, height } = engine.frameStreamOptions;
    for (let round = 0; round < 3; round++) {
      const closing = await openEngine({ model: engine.model, workers: 2 });
      async function* frames() {
        for (let frame = 0; frame < 200; frame++) {
          if (frame === 64) void closing.close();
          yield { atSeconds: frame, pixels: drawScene(frame % 7, width, height) };
        }
      }
      await expect(closing.describeEpisode(frames(), { aspect })).rejects.toThrow("closed");
      await closing.close();
      await expect(closing.describeEpisode(frames(), { aspect })).rejects.toThrow("closed");
    }
  });

  it("throws the errors of the frame stream and rejects frames of another size", async () => {
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
