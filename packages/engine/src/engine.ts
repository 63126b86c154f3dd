import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { unlessAborted } from "@koma/image";
import { Piscina } from "piscina";
import { createCancellation } from "./cancellation.ts";
import type { DescribeResult, DescribeTask, SearchTask, SearchTimings } from "./describe-worker.ts";
import { EngineBusyError } from "./engine-busy-error.ts";
import { describeFrames, type EngineFrame } from "./episode/describe-frames.ts";
import type { DescribedFrames } from "./episode/episode-builder.ts";
import type { EpisodeDescriptors } from "./episode/episode-descriptors.ts";
import type { FrameIndex } from "./frame-index.ts";
import { createDecoderLock, releaseDecoderLock } from "./image/decode-alone.ts";
import { ImageError } from "./image/image-error.ts";
import type { Model } from "./model/model.ts";
import { type Outcome, outcomeOf } from "./search/outcome.ts";
import type { Scene } from "./search/scene.ts";
import { createTaskQueue } from "./task-queue.ts";

export type EngineOptions = {
  model: Model;
  /** Worker threads, each with a loaded model; one per core is fastest. */
  workers: number;
  /** Images that may wait besides the running ones. EngineBusyError is thrown for more. */
  maxQueued?: number;
};

export type SearchImageOptions = {
  /** The index to search. Its model is the model of the engine. */
  index: Pick<FrameIndex, "openSearchPort">;
  /** Maximum number of scenes. */
  limit: number;
  /** Limits the search to these episodes. */
  episodeKeys?: ReadonlySet<string> | undefined;
  /** False keeps the borders of the image; they are trimmed by default. */
  trimBorders?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

export type ImageSearchResult = {
  scenes: Scene[];
  outcome: Outcome;
  /** The descriptor of the whole image, not of unit length; undefined for an image with hardly any content. */
  descriptor: Int8Array | undefined;
  /** Searched views of the image, mirror images included. */
  viewCount: number;
  /** The time of the searched frame of an animation; undefined for an image of one frame. */
  frameAtSeconds: number | undefined;
  timings: SearchTimings;
};

/** Concurrent searches of one worker: one waits for the index while another describes its image. */
const SEARCHES_PER_WORKER = 2;

/**
 * Opens the worker threads that describe images and videos. The caller must close it. Throws when the model
 * does not load.
 */
export async function openEngine({ model, workers, maxQueued = 64 }: EngineOptions) {
  silenceRuntime();
  const opened = new Int32Array(new SharedArrayBuffer(4));
  const decoderLock = createDecoderLock();
  const pool = new Piscina<DescribeTask, DescribeResult>({
    filename: new URL("./describe-worker.ts", import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    concurrentTasksPerWorker: 1 + SEARCHES_PER_WORKER,
    workerData: { model, opened, decoderLock },
    recordTiming: false,
  });
  const { width, height } = model.input;
  const queue = createTaskQueue(workers);
  const searchQueue = createTaskQueue(workers * SEARCHES_PER_WORKER);
  const underWay = new Set<Promise<unknown>>();
  let images = 0;
  let isClosed = false;
  const { failure, countStarted } = watchWorkers(pool, workers, () => isClosed);
  // A thread that ended may have held it.
  pool.on("workerDestroy", () => releaseDecoderLock(decoderLock));

  async function run(
    task: DescribeTask,
    o: { transferList?: (ArrayBuffer | MessagePort)[]; signal?: AbortSignal | undefined },
  ) {
    if (isClosed) throw new Error("The engine is closed.");
    failure.throwIfAborted();
    const tasks = task.kind === "search" ? searchQueue : queue;
    const result = tasks.run(() => pool.run(task, { transferList: o.transferList ?? [] }), o.signal);
    underWay.add(result);
    try {
      return await unlessAborted(result, failure);
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
    throw new TypeError("A worker returned another kind of result.");
  }

  /** Runs a task on an image. Throws ImageError, EngineBusyError and the signal's reason. */
  async function runOnImage(
    task: DescribeTask,
    o: { transferList?: MessagePort[]; signal?: AbortSignal | undefined },
  ) {
    o.signal?.throwIfAborted();
    if (images >= workers + maxQueued) throw new EngineBusyError();
    images++;
    const work = run(task, o).finally(() => {
      images--;
    });
    const result = await unlessAborted(work, o.signal);
    if ("rejected" in result) throw new ImageError(result.rejected.code, result.rejected.message);
    if ("failed" in result)
      throw Object.assign(new Error(result.failed.message), { code: result.failed.code });
    return result;
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
    /**
     * Resolves when a worker exited and could not be replaced; then every call throws. When a worker is
     * replaced, only its images fail.
     */
    failed: new Promise<Error>((resolve) => {
      failure.addEventListener("abort", () => resolve(failure.reason), { once: true });
    }),

    /**
     * Requirements on the frames of `describeEpisode`: packed RGB24, stretched to this size, at least this
     * far apart.
     */
    frameStreamOptions: { width, height, minGapSeconds: model.minGapSeconds },

    /**
     * Searches the scene that an image file shows in up to three passes and decodes it once. The first pass
     * uses few views. A further one runs while no certain match is found; its views are parts of the image,
     * rotated or inverted, the most likely ones first. Scenes are best first. Throws ImageError, EngineBusyError,
     * and the signal's reason: an aborted search leaves the queue immediately, and the threads end a search after
     * the stage that runs.
     */
    async search(bytes: Uint8Array, o: SearchImageOptions): Promise<ImageSearchResult> {
      const { limit, episodeKeys, trimBorders = true, signal } = o;
      const cancelled = createCancellation();
      const cancel = () => Atomics.store(cancelled, 0, 1);
      signal?.throwIfAborted();
      const index = o.index.openSearchPort();
      const options = { limit, episodeKeys, cancelled };
      const task: SearchTask = { kind: "search", bytes, trimBorders, options, index };
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        const result = await runOnImage(task, { transferList: [index.port], signal });
        if (!("scenes" in result)) throw new TypeError("A worker returned another kind of result.");
        return { ...result, outcome: outcomeOf(result.scenes, model) };
      } catch (error) {
        // The index closed while the search waited in the queue: a closed port cannot be transferred.
        const isPortClosed = error instanceof Error && error.name === "DataCloneError";
        throw isPortClosed ? new Error("The frame index is closed.", { cause: error }) : error;
      } finally {
        signal?.removeEventListener("abort", cancel);
        // Has no effect on a transferred port. A search that left the queue still has its port in this
        // thread.
        index.port.close();
      }
    },

    /**
     * Selects and describes the frames of an episode and detects its cuts in one pass. Memory grows by about
     * 1,400 bytes for each stored frame, regions included. Throws the errors of the frame stream, the
     * signal's reason, and RangeError for frames that do not match `frameStreamOptions`.
     */
    async describeEpisode<Frame extends EngineFrame>(
      frames: AsyncIterable<Frame>,
      o: {
        /** Display aspect ratio of the video (width divided by height). The frames are stretched. */
        aspect: number;
        onProgress?: (atSeconds: number) => void;
        /** Receives each frame of a shot with the index of the shot. */
        onShotFrame?: (frame: Frame, shot: number) => void;
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

    /** The number of worker threads, and of their running and waiting tasks: images and batches of frames. */
    status(): { workers: number; running: number; waiting: number } {
      const [described, searched] = [queue.status(), searchQueue.status()];
      return {
        workers: pool.threads.length,
        running: described.running + searched.running,
        waiting: described.waiting + searched.waiting,
      };
    },

    /** Stops the workers after the running calls; new calls are rejected. */
    async close(): Promise<void> {
      isClosed = true;
      // Piscina throws an error that cannot be caught when a worker finishes while the pool is destroyed.
      await Promise.allSettled(underWay);
      await waitUntilOpened(opened, countStarted());
      await pool.destroy();
    },
  };
}

/** Describes and searches images, and describes videos, in worker threads. */
export type Engine = Awaited<ReturnType<typeof openEngine>>;

/**
 * onnxruntime aborts the process (SIGABRT, "terminate called after throwing an instance of 'Napi::Error'")
 * when a thread is terminated while it opens its session or computes. The limit covers threads that exited
 * before they tried to open one.
 */
async function waitUntilOpened(opened: Int32Array, started: number): Promise<void> {
  for (let waitedMs = 0; Atomics.load(opened, 0) < started && waitedMs < 10_000; waitedMs += 20)
    await sleep(20);
}

/**
 * Returns a signal that aborts when a worker exited and was not replaced, and the number of all workers that
 * were started.
 */
function watchWorkers(pool: Piscina, workers: number, isClosed: () => boolean) {
  const failure = new AbortController();
  let started = workers;
  let cause: unknown;
  // Without a listener the event ends the process.
  pool.on("error", (error) => {
    cause = error;
  });
  pool.on("workerDestroy", () => {
    // The pool replaces the worker after this event, unless the new worker fails at its start.
    queueMicrotask(() => {
      if (isClosed()) return;
      if (pool.threads.length >= workers) started++;
      else failure.abort(new Error("A worker of the engine exited and could not be replaced.", { cause }));
    });
  });
  return { failure: failure.signal, countStarted: () => started };
}

/**
 * onnxruntime 1.29 and later send telemetry about each process and model to Microsoft (and match the command
 * line with a regular expression that overflows the stack of a worker at about 16 KB). Native code reads the
 * variable when its first session opens. The environment of a worker is a copy that native code does not
 * read, so the parent thread sets it.
 */
function silenceRuntime(): void {
  // biome-ignore lint/style/noProcessEnv: native code reads this variable; the engine reads none.
  process.env.ORT_DISABLE_TELEMETRY = "1";
}
