import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { Piscina } from "piscina";
import type { DescribeResult, DescribeTask, SearchTask } from "./describe-worker.ts";
import { EngineBusyError } from "./engine-busy-error.ts";
import { describeFrames, type EngineFrame } from "./episode/describe-frames.ts";
import type { DescribedFrames } from "./episode/episode-builder.ts";
import type { EpisodeDescriptors } from "./episode/episode-descriptors.ts";
import type { ImageDescription } from "./image/image-description.ts";
import { ImageError } from "./image/image-error.ts";
import type { FrameIndex } from "./index/frame-index.ts";
import { type Outcome, outcomeOf } from "./index/outcome.ts";
import type { Scene } from "./index/scene.ts";
import type { Model } from "./model.ts";
import { sourceMode } from "./source-mode.ts";
import { abortable, createTaskQueue } from "./task-queue.ts";

export type EngineOptions = {
  model: Model;
  /** Worker threads, each with the model loaded; one per core is best. */
  workers: number;
  /** Images that may wait besides those in work; for more, EngineBusyError is thrown. */
  maxQueued?: number;
};

export type DescribeImageOptions = {
  signal?: AbortSignal | undefined;
  isThorough?: boolean;
  trimBorders?: boolean;
};

export type SearchImageOptions = {
  /** The index that is searched; its model is the engine's. */
  index: Pick<FrameIndex, "openSearchPort">;
  /** Most scenes. */
  limit: number;
  /** Only scenes of these episodes. */
  episodeKeys?: ReadonlySet<string> | undefined;
  /** False: borders of the image are not cut off; by default they are. */
  trimBorders?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/** `viewCount`: views of the image that were searched, mirror images included. */
export type ImageSearchResult = { scenes: Scene[]; outcome: Outcome; viewCount: number };

/** Tasks of one worker that search: while one waits for the index, another describes its image. */
const SEARCHES_PER_WORKER = 2;

/** Opens the worker threads that describe images and videos. Close it after use. Throws when the model does not load. */
export async function openEngine({ model, workers, maxQueued = 64 }: EngineOptions) {
  silenceRuntime();
  const loaded = new Int32Array(new SharedArrayBuffer(4));
  const pool = new Piscina<DescribeTask, DescribeResult>({
    filename: new URL(`./describe-worker${sourceMode.extension}`, import.meta.url).href,
    ...sourceMode.workerOptions,
    minThreads: workers,
    maxThreads: workers,
    concurrentTasksPerWorker: 1 + SEARCHES_PER_WORKER,
    workerData: { model, loaded },
    recordTiming: false,
  });
  const { width, height } = model.input;
  const queue = createTaskQueue(workers);
  const searchQueue = createTaskQueue(workers * SEARCHES_PER_WORKER);
  const underWay = new Set<Promise<unknown>>();
  let images = 0;
  let isClosed = false;
  const failure = watchWorkers(pool, workers, () => isClosed);

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
    const result = await abortable(work, o.signal);
    if ("rejected" in result) throw new ImageError(result.rejected.code, result.rejected.message);
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
    /** Resolves when a worker died and could not be replaced; then every call throws. A replaced worker loses its images only. */
    failed: new Promise<Error>((resolve) => {
      failure.addEventListener("abort", () => resolve(failure.reason), { once: true });
    }),

    /** Requirements on the frames of `describeEpisode`: packed RGB24 stretched to this size, at least this far apart. */
    frameStreamOptions: { width, height, minGapSeconds: model.minGapSeconds },

    /**
     * Describes a JPEG or PNG file by few views, or with `isThorough` by all in which the scene may be only a part of the
     * image. Throws ImageError, EngineBusyError, and the signal's reason: an aborted image leaves the queue at once, and a
     * worker that has begun it finishes it.
     */
    async describeImage(
      bytes: Uint8Array,
      { signal, isThorough = false, trimBorders = true }: DescribeImageOptions = {},
    ): Promise<ImageDescription> {
      const result = await runOnImage({ kind: "image", bytes, isThorough, trimBorders }, { signal });
      if ("description" in result) return result.description;
      throw new TypeError("A worker returned another kind of result.");
    },

    /**
     * Searches the scene that a JPEG or PNG file shows, decoded once, in two passes: by few views, and where these find
     * nothing certain by those in which the scene may be a part of the image, turned or inverted. Scenes are best first.
     * Throws as `describeImage` does.
     */
    async search(bytes: Uint8Array, o: SearchImageOptions): Promise<ImageSearchResult> {
      const { limit, episodeKeys, trimBorders = true, signal } = o;
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      const cancel = () => Atomics.store(cancelled, 0, 1);
      signal?.throwIfAborted();
      const port = o.index.openSearchPort();
      const options = { limit, episodeKeys };
      const task: SearchTask = { kind: "search", bytes, trimBorders, options, port, cancelled };
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        const result = await runOnImage(task, { transferList: [port], signal });
        if (!("scenes" in result)) throw new TypeError("A worker returned another kind of result.");
        return { ...result, outcome: outcomeOf(result.scenes, model) };
      } catch (error) {
        // The index ended while the search waited in the queue: a closed port cannot be transferred.
        const isPortClosed = error instanceof Error && error.name === "DataCloneError";
        throw isPortClosed ? new Error("The frame index has ended.", { cause: error }) : error;
      } finally {
        signal?.removeEventListener("abort", cancel);
        // Has no effect on a port that was transferred; a search that left the queue still has its port here.
        port.close();
      }
    },

    /**
     * Selects and describes the frames of an episode and detects its cuts in one pass. Memory grows by about 1,400 bytes for
     * each kept frame, regions included. Throws the errors of the frames, the signal's reason, and RangeError for frames that
     * do not fit `frameStreamOptions`.
     */
    async describeEpisode(
      frames: AsyncIterable<EngineFrame>,
      o: {
        /** Display aspect ratio of the video (width divided by height); the frames are stretched. */
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

    /** Ends the workers after the running calls; new calls are rejected. */
    async close(): Promise<void> {
      isClosed = true;
      // A worker that finishes while the pool is destroyed makes piscina throw an error that cannot be caught.
      await Promise.allSettled(underWay);
      await waitUntilLoaded(loaded, workers);
      await pool.destroy();
    },
  };
}

/** Describes and searches images, and describes videos, in its own worker threads. */
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
  // Without a listener the event ends the process.
  pool.on("error", (error) => {
    cause = error;
  });
  pool.on("workerDestroy", () => {
    // The pool replaces the worker right after this, unless a new one fails as soon as it starts.
    queueMicrotask(() => {
      if (isClosed() || pool.threads.length >= workers) return;
      failure.abort(new Error("A worker of the engine died and could not be replaced.", { cause }));
    });
  });
  return failure.signal;
}

/**
 * onnxruntime 1.29 and later send telemetry about each process and model to Microsoft (and match the command line with an
 * expression that overflows a worker's stack at about 16 KB). Native code reads the variable when its first session opens.
 * The environment of a worker is a copy that native code does not see, so the thread that starts the workers sets it.
 */
function silenceRuntime(): void {
  // biome-ignore lint/style/noProcessEnv: native code reads this variable; the engine reads none.
  process.env.ORT_DISABLE_TELEMETRY = "1";
}
