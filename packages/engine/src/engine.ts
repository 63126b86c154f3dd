import { setTimeout as sleep } from "node:timers/promises";
import { Piscina } from "piscina";
import type { DescribeTask, ImageResult } from "./describe-worker.ts";
import { EngineBusyError } from "./engine-busy-error.ts";
import { describeFrames, type EngineFrame } from "./episode/describe-frames.ts";
import type { DescribedFrames } from "./episode/episode-builder.ts";
import type { EpisodeDescriptors } from "./episode/episode-descriptors.ts";
import type { ImageDescription } from "./image/image-description.ts";
import { ImageError } from "./image/image-error.ts";
import type { Model } from "./model.ts";
import { sourceMode } from "./source-mode.ts";
import { abortable, createTaskQueue } from "./task-queue.ts";

export type EngineOptions = {
  model: Model;
  /** Worker threads, each with the model loaded; one per core is best. */
  workers: number;
  /** Pictures that may wait besides those being described; more are refused with EngineBusyError. */
  maxQueued?: number;
};

/** Opens the worker threads that describe pictures and films. Close it after use. Throws when the model does not load. */
export async function openEngine({ model, workers, maxQueued = 64 }: EngineOptions) {
  silenceRuntime();
  const loaded = new Int32Array(new SharedArrayBuffer(4));
  const pool = new Piscina<DescribeTask, DescribedFrames | ImageResult>({
    filename: new URL(`./describe-worker${sourceMode.extension}`, import.meta.url).href,
    ...sourceMode.workerOptions,
    minThreads: workers,
    maxThreads: workers,
    workerData: { model, loaded },
    recordTiming: false,
  });
  const { width, height } = model.input;
  const queue = createTaskQueue(workers);
  const underWay = new Set<Promise<unknown>>();
  let images = 0;
  let isClosed = false;
  const failure = watchWorkers(pool, workers, () => isClosed);

  async function run(task: DescribeTask, o: { transferList?: ArrayBuffer[]; signal?: AbortSignal }) {
    if (isClosed) throw new Error("The engine is closed.");
    failure.throwIfAborted();
    const result = queue.run(() => pool.run(task, { transferList: o.transferList ?? [] }), o.signal);
    underWay.add(result);
    try {
      return await abortable(result, failure);
    } finally {
      underWay.delete(result);
    }
  }

  async function describeBatch(
    pixels: Uint8Array<ArrayBuffer>,
    kind: "frames" | "regions" = "frames",
  ): Promise<DescribedFrames> {
    const result = await run({ kind, pixels }, { transferList: [pixels.buffer] });
    if ("vectors" in result) return result;
    throw new TypeError("A worker answered another question.");
  }

  async function describe(task: DescribeTask, signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    if (images >= workers + maxQueued) throw new EngineBusyError();
    images++;
    const work = run(task, signal === undefined ? {} : { signal }).finally(() => {
      images--;
    });
    const result = await abortable(work, signal);
    if ("description" in result) return result;
    if ("refused" in result) throw new ImageError(result.refused.code, result.refused.message);
    throw new TypeError("A worker answered another question.");
  }

  try {
    await describeBatch(new Uint8Array(width * height * 3));
  } catch (error) {
    isClosed = true;
    await pool.destroy();
    throw error;
  }

  return {
    model,
    /** Resolves when a worker died that could not be replaced: nothing is described any more. One that could costs its picture alone. */
    failed: new Promise<Error>((resolve) => {
      failure.addEventListener("abort", () => resolve(failure.reason), { once: true });
    }),

    /** What the frames given to `describeEpisode` must be: packed RGB24 stretched to this size, at least this far apart. */
    frameStreamOptions: { width, height, minGapSeconds: model.minGapSeconds },

    /**
     * Describes a JPEG or PNG file by few views, or with `isThorough` by all in which the scene may be only a part of the picture. Throws
     * PictureError, EngineBusyError, and the signal's reason: who aborts leaves the queue at once (a picture that a worker has begun is
     * finished all the same).
     */
    async describeImage(
      bytes: Uint8Array,
      o: { signal?: AbortSignal; isThorough?: boolean } = {},
    ): Promise<ImageDescription> {
      const task = { kind: "picture", bytes, isThorough: o.isThorough ?? false } as const;
      return (await describe(task, o.signal)).description;
    },

    /**
     * Describes a JPEG or PNG file in passes, decoded once: first by few views, then by those in which the scene may be only a
     * part of the picture, turned or inverted. A caller that has found the scene stops after the first pass. Throws as
     * `describeImage` does.
     */
    async *describePasses(
      bytes: Uint8Array,
      o: { signal?: AbortSignal | undefined } = {},
    ): AsyncGenerator<ImageDescription, void, void> {
      const { description, decoded } = await describe(
        { kind: "picture", bytes, isThorough: false },
        o.signal,
      );
      yield description;
      yield (await describe({ kind: "furtherViews", decoded }, o.signal)).description;
    },

    /**
     * Selects, cuts and describes the frames of an episode in one pass over them, in memory that does not grow with their number
     * apart from about 1,400 bytes for each that is kept, regions included. Throws what the frames throw, the signal's reason, RangeError for frames
     * that do not fit `frameStreamOptions`.
     */
    async describeEpisode(
      frames: AsyncIterable<EngineFrame>,
      o: {
        /** Width of the film on the screen divided by its height; the frames are stretched. */
        aspect: number;
        onProgress?: (atSeconds: number) => void;
        signal?: AbortSignal;
      },
    ): Promise<EpisodeDescriptors> {
      return describeFrames(frames, {
        modelId: model.id,
        size: { width, height },
        concurrency: workers,
        describeBatch,
        describeRegions: (pixels) => describeBatch(pixels, "regions"),
        ...o,
      });
    },

    /** Ends the workers when they have done what they were asked for; nothing more is taken. */
    async close(): Promise<void> {
      isClosed = true;
      // A worker that answers while the pool is destroyed makes piscina throw where nobody can catch it.
      await Promise.allSettled(underWay);
      await waitUntilLoaded(loaded, workers);
      await pool.destroy();
    },
  };
}

/** Describes pictures and films in its own worker threads. */
export type Engine = Awaited<ReturnType<typeof openEngine>>;

/**
 * onnxruntime ends the whole process (SIGABRT, "terminate called after throwing an instance of 'Napi::Error'") when a
 * thread is terminated that opens its session. The limit is for workers that died before they had opened one.
 */
async function waitUntilLoaded(loaded: Int32Array, workers: number): Promise<void> {
  for (let waitedMs = 0; Atomics.load(loaded, 0) < workers && waitedMs < 10_000; waitedMs += 20)
    await sleep(20);
}

/** Aborts when a worker died and no other took its place. */
function watchWorkers(pool: Piscina, workers: number, isClosed: () => boolean): AbortSignal {
  const failure = new AbortController();
  let cause: unknown;
  // Unheard, the event would end the process.
  pool.on("error", (error) => {
    cause = error;
  });
  pool.on("workerDestroy", () => {
    // The pool puts another in its place right after this, unless that kind fails as soon as it starts.
    queueMicrotask(() => {
      if (isClosed() || pool.threads.length >= workers) return;
      failure.abort(new Error("A worker of the engine died and could not be replaced.", { cause }));
    });
  });
  return failure.signal;
}

/**
 * onnxruntime 1.29 and later tell Microsoft about each process and model from within (and match the command line with an
 * expression that overflows a worker's stack at about 16 KB). Read by native code when its first session opens; a
 * worker's own environment is a copy that it does not see, so the thread that starts the workers sets it.
 */
function silenceRuntime(): void {
  process.env.ORT_DISABLE_TELEMETRY = "1";
}
