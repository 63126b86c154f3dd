import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { createCancellation } from "../../src/cancellation.ts";
import { createDecoderLock, decodeAlone, releaseDecoderLock } from "../../src/image/decode-alone.ts";

it("runs one decoder at a time", async () => {
  const lock = createDecoderLock();
  let running = 0;
  let most = 0;
  const decode = async () => {
    most = Math.max(most, ++running);
    await setImmediate();
    running--;
    return most;
  };
  expect(await Promise.all([1, 2, 3].map(() => decodeAlone(lock, undefined, decode)))).toEqual([1, 1, 1]);
});

it("releases the lock after an error", async () => {
  const lock = createDecoderLock();
  const failed = decodeAlone(lock, undefined, () => Promise.reject(new Error("corrupt")));
  await expect(failed).rejects.toThrow("corrupt");
  expect(await decodeAlone(lock, undefined, async () => "decoded")).toBe("decoded");
});

it("waits for a decoder of another thread, and ends when the search is cancelled", async () => {
  const lock = createDecoderLock();
  const other = new Worker("Atomics.store(require('node:worker_threads').workerData, 0, 1)", {
    eval: true,
    workerData: lock,
  });
  await new Promise((resolve) => other.once("exit", resolve));
  const cancelled = createCancellation();
  const waiting = decodeAlone(lock, cancelled, async () => "decoded");
  Atomics.store(cancelled, 0, 1);
  await expect(waiting).rejects.toThrow("The search was aborted.");
  const next = decodeAlone(lock, undefined, async () => "decoded");
  releaseDecoderLock(lock);
  expect(await next).toBe("decoded");
});
