import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { defaultModelFolder, type Engine, EngineBusyError, loadModel, openEngine } from "@koma/engine";
import { expect, it, onTestFinished } from "vitest";
import { drawImage, drawSlowImage } from "./fixtures/drawn-scenes.ts";

/** Opens an engine whose threads the test can stop, with a copy of the model that the test may delete. */
async function open(o: { workers: number; maxQueued?: number }) {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-engine-"));
  await cp(defaultModelFolder, folder, { recursive: true });
  const threads: Worker[] = [];
  const track = (thread: Worker) => void threads.push(thread);
  process.on("worker", track);
  const model = await loadModel(folder);
  const engine = await openEngine({ model, ...o });
  onTestFinished(async () => {
    process.off("worker", track);
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { engine, model, threads };
}

const hasFailed = (engine: Engine) => Promise.race([engine.failed.then(() => true), pause(200, false)]);

it("replaces a worker that exits and fails only the image of that worker", async () => {
  const { engine, threads } = await open({ workers: 1 });
  const image = await drawSlowImage();
  const lost = engine.describeImage(image);
  const waiting = engine.describeImage(await drawImage(1).png().toBuffer());
  await Promise.all([threads[0]?.terminate(), expect(lost).rejects.toThrow(/worker/)]);
  expect((await waiting).views.length).toBeGreaterThan(0);
  expect(threads).toHaveLength(2);
  expect(await hasFailed(engine)).toBe(false);
});

it("resolves `failed` and rejects waiting images when a worker cannot be replaced", async () => {
  const { engine, model, threads } = await open({ workers: 1 });
  await rm(model.file);
  const image = await drawSlowImage();
  const images = [1, 2, 3].map(() => engine.describeImage(image));
  const rejected = Promise.all(images.map((one) => expect(one).rejects.toThrow()));
  await threads[0]?.terminate();
  expect((await engine.failed).message).toMatch(/could not be replaced/);
  await rejected;
  await expect(engine.describeImage(image)).rejects.toThrow(/could not be replaced/);
});

it("does not resolve `failed` when it is closed", async () => {
  const { engine } = await open({ workers: 1 });
  await engine.close();
  expect(await hasFailed(engine)).toBe(false);
});

it("frees the queue places of aborted images at once", async () => {
  const { engine } = await open({ workers: 1, maxQueued: 2 });
  const image = await drawImage(1).resize(2000, 1200).png().toBuffer();
  const describe = (o = {}) => engine.describeImage(image, { isThorough: true, ...o });
  const order: string[] = [];
  const first = describe().then(() => order.push("first"));
  const leaving = new AbortController();
  const left = [1, 2].map(() => describe({ signal: leaving.signal }));
  await expect(describe()).rejects.toBeInstanceOf(EngineBusyError);

  leaving.abort(new Error("left"));
  for (const one of left) await expect(one).rejects.toThrow("left");
  const next = describe().then(() => order.push("next"));
  expect(order).toEqual([]);
  await Promise.all([first, next]);
  expect(order).toEqual(["first", "next"]);
});
