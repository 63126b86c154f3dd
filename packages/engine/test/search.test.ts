import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { MessageChannel, type Worker } from "node:worker_threads";
import {
  type Engine,
  type FrameIndex,
  ImageError,
  loadModel,
  openEngine,
  openFrameIndex,
} from "@koma/engine";
import { type Sharp, sharp } from "@koma/image";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createAnimation } from "./fixtures/create-animation.ts";
import { openImageDescriber } from "./fixtures/describe-images.ts";
import { drawImage, drawSlowImage, playScenes } from "./fixtures/drawn-scenes.ts";

const seeds = [600, 601, 602, 603];
const secondsPerShot = 2;

const { describeFirst, describeAll } = await openImageDescriber(await loadModel());
let engine: Engine;
let index: FrameIndex;
let engineThread: Worker;

beforeAll(async () => {
  const model = await loadModel();
  const starting: Promise<Worker[]> = once(process, "worker");
  engine = await openEngine({ model, workers: 1 });
  [engineThread] = (await starting) as [Worker];
  index = await openFrameIndex({ model });
  await fill(index);
});
afterAll(async () => {
  await index.close();
  await engine.close();
});

async function fill(target: FrameIndex): Promise<void> {
  const frames = playScenes(seeds, engine.frameStreamOptions, secondsPerShot, 6);
  await target.add("episode", await engine.describeEpisode(frames, { aspect: 16 / 9 }));
}

async function openFilledIndex(): Promise<FrameIndex> {
  const own = await openFrameIndex({ model: engine.model });
  await fill(own);
  return own;
}

/** Repeats the last graphic control extension and image of a GIF. */
function repeatLastFrame(gif: Buffer, count: number): Buffer {
  const last = gif.subarray(gif.lastIndexOf(Buffer.from([0x21, 0xf9, 0x04])), -1);
  return Buffer.concat([gif.subarray(0, -1), ...new Array<Buffer>(count).fill(last), gif.subarray(-1)]);
}

function cosineOf(one: Int8Array, other: Int8Array): number {
  const dot = (a: Int8Array, b: Int8Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

const imageOf = (seed: number) => drawImage(seed, 640, 360).jpeg().toBuffer();
const box = { create: { width: 260, height: 160, channels: 3, background: "#f0f0f0" } } as const;
const negative = () => drawImage(9999, 640, 360).jpeg().toBuffer();

/** Draws a scene in a large frame of another colour. */
async function framedImageOf(seed: number): Promise<Buffer> {
  return sharp(await drawImage(seed, 640, 360).png().toBuffer())
    .extend({ top: 200, bottom: 200, left: 10, right: 10, background: "#000000" })
    .png()
    .toBuffer();
}

describe("search of an image", () => {
  it("describes the whole image alone when that shows a frame exactly", async () => {
    const { scenes, outcome, viewCount } = await engine.search(await imageOf(601), { index, limit: 3 });
    expect(scenes[0]).toMatchObject({ episodeKey: "episode", isConfident: true });
    expect(Math.floor((scenes[0]?.atSeconds ?? 0) / secondsPerShot)).toBe(1);
    expect(outcome).toBe("found");
    expect(viewCount).toBe(1);
  });

  it.each([
    ["mirrored", (image: Sharp) => image.flop()],
    ["with bars", (image: Sharp) => image.extend({ top: 140, bottom: 140, background: "#000000" })],
    ["under a box", (image: Sharp) => image.composite([{ input: box, left: 120, top: 60 }])],
  ])("ends after the first views when those find the scene %s", async (_, edit) => {
    const bytes = await edit(sharp(await imageOf(601)))
      .png()
      .toBuffer();
    const { scenes, outcome, viewCount } = await engine.search(bytes, { index, limit: 3 });
    expect(Math.floor((scenes[0]?.atSeconds ?? 0) / secondsPerShot)).toBe(1);
    expect(outcome).toBe("found");
    const { views } = await describeFirst(bytes);
    expect(views.length).toBeGreaterThan(1);
    expect(viewCount).toBe(views.length);
  });

  it("searches further views when the first pass finds nothing certain", async () => {
    const bytes = await negative();
    const { scenes, outcome, viewCount } = await engine.search(bytes, { index, limit: 3 });
    expect(outcome).not.toBe("found");
    expect(scenes.length).toBeLessThanOrEqual(3);
    expect(viewCount).toBeGreaterThan((await describeFirst(bytes)).views.length);
  });

  it("ends after the likely views when these find the scene", async () => {
    const rotated = await sharp(await imageOf(601))
      .rotate(90)
      .jpeg()
      .toBuffer();
    const { outcome, viewCount } = await engine.search(rotated, { index, limit: 3 });
    expect(outcome).toBe("found");
    expect(viewCount).toBeGreaterThan((await describeFirst(rotated)).views.length);
    const all = await describeAll(rotated);
    expect(viewCount).toBeLessThan(all.views.length);
    const bytes = await negative();
    const whole = await describeAll(bytes);
    expect((await engine.search(bytes, { index, limit: 3 })).viewCount).toBe(whole.views.length);
  });

  it("returns the descriptor of the whole image, and none of an image without content", async () => {
    const describeWhole = async (bytes: Buffer) =>
      (await engine.search(bytes, { index, limit: 1 })).descriptor ?? new Int8Array();
    const scene = await describeWhole(await imageOf(601));
    expect(scene).toHaveLength(engine.model.dimensions);
    const small = await describeWhole(await drawImage(601, 320, 180).jpeg({ quality: 40 }).toBuffer());
    expect(cosineOf(scene, small)).toBeGreaterThan(0.9);
    expect(cosineOf(scene, await describeWhole(await imageOf(602)))).toBeLessThan(0.9);
    const flat = sharp({ create: { width: 64, height: 48, channels: 3, background: "#7f3050" } });
    expect(
      (await engine.search(await flat.png().toBuffer(), { index, limit: 1 })).descriptor,
    ).toBeUndefined();
  });

  it.each(["gif", "webp"] as const)(
    "returns the time of the frame with most detail of a %s",
    async (format) => {
      const frames = ["#000", "#000", 602, "#000", "#222"];
      const bytes = await (await createAnimation(frames, 640, 360))
        .toFormat(format, { delay: [500, 250, 1000, 500, 500] })
        .toBuffer();
      const { scenes, frameAtSeconds } = await engine.search(bytes, { index, limit: 3 });
      expect(scenes[0]).toMatchObject({ episodeKey: "episode", isConfident: true });
      expect(Math.floor((scenes[0]?.atSeconds ?? 0) / secondsPerShot)).toBe(2);
      expect(frameAtSeconds).toBe(0.75);
      expect((await engine.search(await imageOf(601), { index, limit: 3 })).frameAtSeconds).toBeUndefined();
    },
  );

  it("searches an early frame of an animation with many frames", async () => {
    const first = await (await createAnimation([602, "#000"], 64, 36)).gif({ delay: [40, 40] }).toBuffer();
    const bytes = repeatLastFrame(first, 50_000);
    const { scenes, frameAtSeconds } = await engine.search(bytes, { index, limit: 3 });
    // The frames 2,499 and 7,498 are as many as the limit of decoded pixels permits.
    expect(frameAtSeconds).toBe(99.96);
    expect(scenes.length).toBeLessThanOrEqual(3);
  });

  it("trims borders unless `trimBorders` is false", async () => {
    const bytes = await framedImageOf(602);
    const trimmed = await engine.search(bytes, { index, limit: 1 });
    expect(trimmed.scenes[0]).toMatchObject({ isConfident: true });
    const [untrimmed, first] = [
      await engine.search(bytes, { index, limit: 1, trimBorders: false }),
      await describeFirst(bytes, { trimBorders: false }),
    ];
    expect(untrimmed.viewCount).toBeGreaterThanOrEqual(first.views.length);
    expect(untrimmed.viewCount).not.toBe(trimmed.viewCount);
  });

  it("finds nothing in an unknown episode, in no episode and in an empty index", async () => {
    const bytes = await imageOf(601);
    for (const episodeKeys of [new Set(["unknown"]), new Set<string>()]) {
      expect((await engine.search(bytes, { index, limit: 3, episodeKeys })).scenes).toEqual([]);
    }
    const empty = await openFrameIndex({ model: engine.model });
    expect((await engine.search(bytes, { index: empty, limit: 3 })).scenes).toEqual([]);
    await empty.close();
  });

  it("does not block the event loop of the caller", async () => {
    const bytes = await drawImage(601, 1920, 1080).jpeg().toBuffer();
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    await Promise.all(Array.from({ length: 40 }, () => engine.search(bytes, { index, limit: 1 })));
    delay.disable();
    // Decoding in this thread would delay most samples; single samples also wait for other processes of the
    // machine.
    expect(delay.percentile(75) / 1e6).toBeLessThan(20);
  });

  it("rejects files that are not images", async () => {
    const bytes = Buffer.from("not an image");
    await expect(engine.search(bytes, { index, limit: 1 })).rejects.toBeInstanceOf(ImageError);
  });
});

/** Passes searches on to the index, and calls `onRequest` before each with its number. */
function watchIndex(onRequest: (request: number) => void) {
  const replies: unknown[] = [];
  let requests = 0;
  const openSearchPort = () => {
    const { serves, port: indexPort } = index.openSearchPort();
    const { port1, port2 } = new MessageChannel();
    port1.on("message", (request) => {
      onRequest(++requests);
      indexPort.postMessage(request);
    });
    indexPort.on("message", (reply) => {
      replies.push(reply);
      port1.postMessage(reply);
    });
    port1.once("close", () => indexPort.close());
    return { serves, port: port2 };
  };
  return { openSearchPort, replies };
}

describe("interrupted search", () => {
  it.each([1, 2, 3, 4])("ends in the index and in its worker during pass %i", async (pass) => {
    const bytes = await negative();
    const whole = watchIndex(() => undefined);
    await engine.search(bytes, { index: whole, limit: 1 });
    const reply = {
      id: expect.any(Number),
      result: { scenes: expect.any(Array), verificationMs: expect.any(Number) },
    };
    expect(whole.replies).toEqual([reply, reply, reply, reply]);

    const reason = new Error("given up");
    const leaving = new AbortController();
    const watched = watchIndex((request) => request === pass && leaving.abort(reason));
    const search = engine.search(bytes, { index: watched, limit: 1, signal: leaving.signal });
    await expect(search).rejects.toBe(reason);
    await vi.waitFor(() => expect(watched.replies).toHaveLength(pass), 60_000);
    expect(watched.replies.at(-1)).toMatchObject({ error: { message: "The search was aborted." } });
    // The worker takes two searches at a time: both end only after the aborted one has left it.
    const next = [601, 602].map(async (seed) => engine.search(await imageOf(seed), { index, limit: 1 }));
    for (const { scenes } of await Promise.all(next)) expect(scenes).toHaveLength(1);
    expect(watched.replies).toHaveLength(pass);
  });

  it("is rejected in a closed index", async () => {
    const own = await openFilledIndex();
    const bytes = await imageOf(601);
    expect((await engine.search(bytes, { index: own, limit: 1 })).scenes).toHaveLength(1);
    await own.close();
    await expect(engine.search(bytes, { index: own, limit: 1 })).rejects.toThrow("closed");
  });

  it("is rejected or completed when its index closes during it, and the index closes", async () => {
    const own = await openFilledIndex();
    const bytes = await negative();
    const searches = Array.from({ length: 6 }, () => engine.search(bytes, { index: own, limit: 1 }));
    const settled = Promise.allSettled(searches);
    await own.close();
    for (const result of await settled) {
      if (result.status === "rejected") expect(result.reason.message).toMatch(/exited|is closed/);
    }
    expect((await engine.search(await imageOf(601), { index, limit: 1 })).scenes).toHaveLength(1);
  });

  it("is rejected when the thread of its index exits", async () => {
    const starting: Promise<Worker[]> = once(process, "worker");
    const own = await openFrameIndex({ model: engine.model });
    const [thread] = await starting;
    await fill(own);
    const bytes = await negative();
    const searches = [1, 2, 3].map(() => engine.search(bytes, { index: own, limit: 1 }));
    const rejected = Promise.all(searches.map((search) => expect(search).rejects.toThrow("is closed")));
    await thread?.terminate();
    await rejected;
    await own.close();
  });

  it("throws the signal's reason", async () => {
    const bytes = await negative();
    const reason = new Error("given up");
    await expect(engine.search(bytes, { index, limit: 1, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const leaving = new AbortController();
    const searches = [1, 2, 3, 4].map(() =>
      engine.search(bytes, { index, limit: 1, signal: leaving.signal }),
    );
    const rejected = Promise.all(searches.map((search) => expect(search).rejects.toBe(reason)));
    leaving.abort(reason);
    await rejected;
    expect((await engine.search(await imageOf(601), { index, limit: 1 })).scenes).toHaveLength(1);
  });

  // This test is the last one: the thread that replaces the worker is another one.
  it("is rejected when its worker exits, and the next search succeeds", async () => {
    const lost = engine.search(await drawSlowImage(), { index, limit: 1 });
    await Promise.all([engineThread.terminate(), expect(lost).rejects.toThrow(/worker/i)]);
    expect((await engine.search(await imageOf(601), { index, limit: 1 })).scenes).toHaveLength(1);
  });
});
