import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

const framesPerBatch = 256;

/** The task of a worker: frames `from` (included) to `to` (excluded), of that size. */
export type DrawingTask = { from: number; to: number; width: number; height: number };

/**
 * Yields `count` frames, from number `first` on, of a deterministic unlimited series of drawn scenes, in
 * order: packed RGB. Worker threads draw them, one batch ahead each.
 */
export async function* drawnFrames(
  count: number,
  { width, height }: { width: number; height: number },
  first = 0,
): AsyncGenerator<Uint8Array, void, void> {
  const workers = Array.from(
    { length: Math.min(4, availableParallelism()) },
    () => new Worker(new URL("./drawing-worker.ts", import.meta.url)),
  );
  try {
    const size = width * height * 3;
    const starts = Array.from({ length: Math.ceil(count / framesPerBatch) }, (_, i) => i * framesPerBatch);
    const ask = (worker: Worker, from: number): Promise<Uint8Array> => {
      const questionResult = once(worker, "message");
      worker.postMessage({
        from: first + from,
        to: first + Math.min(count, from + framesPerBatch),
        width,
        height,
      } satisfies DrawingTask);
      return questionResult.then(([pixels]) => pixels);
    };
    const underWay: Promise<Uint8Array>[] = [];
    for (const [i, worker] of workers.entries()) {
      const start = starts[i];
      if (start !== undefined) underWay.push(ask(worker, start));
    }
    for (let i = 0; i < starts.length; i++) {
      const batch = await underWay[i];
      const next = starts[i + workers.length];
      const worker = workers[i % workers.length];
      if (next !== undefined && worker !== undefined) underWay.push(ask(worker, next));
      delete underWay[i];
      if (batch === undefined) continue;
      for (let at = 0; at < batch.length; at += size) yield batch.slice(at, at + size);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
