import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import {
  defaultModelFolder,
  type Engine,
  EngineBusyError,
  loadModel,
  openEngine,
  openFrameIndex,
} from "@koma/engine";
import { expect, it, onTestFinished } from "vitest";
import { drawImage, drawSlowImage } from "./fixtures/drawn-scenes.ts";

/**
 * Opens an engine whose threads the test can stop, with a copy of the model that the test may delete, and a
 * search of an image in an empty index.
 */
async function open(o: { workers: number; maxQueued?: number }) {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-engine-"));
  await cp(defaultModelFolder, folder, { recursive: true });
  const model = await loadModel(folder);
  const index = await openFrameIndex({ model });
  // The thread of the index has started and is not counted.
  await index.stats();
  const threads: Worker[] = [];
  const track = (thread: Worker) => void threads.push(thread);
  process.on("worker", track);
  const engine = await openEngine({ model, ...o });
  onTestFinished(async () => {
    process.off("worker", track);
    await engine.close();
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });
  const search = (image: Uint8Array, signal?: AbortSignal) =>
    engine.search(image, { index, limit: 1, signal });
  return { engine, search, model, threads };
}

const hasFailed = (engine: Engine) => Promise.race([engine.failed.then(() => true), pause(200, false)]);

it("replaces a worker that exits and fails only the images of that worker", async () => {
  const { engine, search, threads } = await open({ workers: 1 });
  const image = await drawSlowImage();
  // A worker takes two searches at a time.
  const lost = [search(image), search(image)];
  const waiting = search(await drawImage(1).png().toBuffer());
  const rejected = Promise.all(lost.map((one) => expect(one).rejects.toThrow(/worker/)));
  await Promise.all([threads[0]?.terminate(), rejected]);
  expect((await waiting).viewCount).toBeGreaterThan(0);
  expect(threads).toHaveLength(2);
  expect(await hasFailed(engine)).toBe(false);
});

it("resolves `failed` and rejects waiting images when a worker cannot be replaced", async () => {
  const { engine, search, model, threads } = await open({ workers: 1 });
  await rm(model.file);
  const image = await drawSlowImage();
  const images = [1, 2, 3].map(() => search(image));
  const rejected = Promise.all(images.map((one) => expect(one).rejects.toThrow()));
  await threads[0]?.terminate();
  expect((await engine.failed).message).toMatch(/could not be replaced/);
  await rejected;
  await expect(search(image)).rejects.toThrow(/could not be replaced/);
});

it("does not resolve `failed` when it is closed", async () => {
  const { engine } = await open({ workers: 1 });
  await engine.close();
  expect(await hasFailed(engine)).toBe(false);
});

it("frees the queue places of aborted images at once", async () => {
  const { search } = await open({ workers: 1, maxQueued: 2 });
  const image = await drawImage(1).resize(2000, 1200).png().toBuffer();
  const order: string[] = [];
  const first = search(image).then(() => order.push("first"));
  const leaving = new AbortController();
  const left = [1, 2].map(() => search(image, leaving.signal));
  await expect(search(image)).rejects.toBeInstanceOf(EngineBusyError);

  leaving.abort(new Error("left"));
  for (const one of left) await expect(one).rejects.toThrow("left");
  const next = search(image).then(() => order.push("next"));
  expect(order).toEqual([]);
  await Promise.all([first, next]);
  expect(order).toEqual(["first", "next"]);
});
