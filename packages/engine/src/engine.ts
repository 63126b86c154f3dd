import { Piscina } from "piscina";
import type { DescribeTask, PictureAnswer } from "./describe-worker.ts";
import { EngineBusyError } from "./engine-busy-error.ts";
import { describeFrames, type EngineFrame } from "./episode/describe-frames.ts";
import type { DescribedFrames } from "./episode/episode-builder.ts";
import type { EpisodeDescriptors } from "./episode/episode-descriptors.ts";
import type { Model } from "./model.ts";
import type { PictureDescription } from "./picture/picture-description.ts";
import { PictureError } from "./picture/picture-error.ts";

export type EngineOptions = {
  model: Model;
  /** Worker threads, each with the model loaded; one per core is best. */
  workers: number;
  /** Pictures that may wait besides those being described; more are refused with EngineBusyError. */
  maxQueued?: number;
};

/** Opens the worker threads that describe pictures and films. Close it after use. Throws when the model does not load. */
export async function openEngine({ model, workers, maxQueued = 64 }: EngineOptions) {
  const pool = new Piscina<DescribeTask, DescribedFrames | PictureAnswer>({
    filename: new URL("./describe-worker.js", import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    workerData: { model },
    recordTiming: false,
  });
  const { width, height } = model.input;
  const underWay = new Set<Promise<unknown>>();
  let pictures = 0;
  let isClosed = false;

  async function run(task: DescribeTask, transferList: ArrayBuffer[] = []) {
    if (isClosed) throw new Error("The engine is closed.");
    const answer = pool.run(task, { transferList });
    underWay.add(answer);
    try {
      return await answer;
    } finally {
      underWay.delete(answer);
    }
  }

  async function describeBatch(pixels: Uint8Array<ArrayBuffer>): Promise<DescribedFrames> {
    const answer = await run({ kind: "frames", pixels }, [pixels.buffer]);
    if ("vectors" in answer) return answer;
    throw new TypeError("A worker answered another question.");
  }

  try {
    await describeBatch(new Uint8Array(width * height * 3));
  } catch (error) {
    await pool.destroy();
    throw error;
  }

  return {
    model,
    /** What the frames given to `describeEpisode` must be: packed RGB24 stretched to this size, at least this far apart. */
    frameStreamOptions: { width, height, minGapSeconds: model.minGapSeconds },

    /**
     * Describes a JPEG or PNG file by few views, or with `isThorough` by all in which the scene may be only a part of the picture. Throws
     * PictureError, EngineBusyError, and the signal's reason (a picture that a worker has begun is finished all the same).
     */
    async describePicture(
      bytes: Uint8Array,
      o: { signal?: AbortSignal; isThorough?: boolean } = {},
    ): Promise<PictureDescription> {
      o.signal?.throwIfAborted();
      if (pictures >= workers + maxQueued) throw new EngineBusyError();
      pictures++;
      const work = run({ kind: "picture", bytes, isThorough: o.isThorough ?? false }).finally(() => {
        pictures--;
      });
      const answer = await abortable(work, o.signal);
      if ("description" in answer) return answer.description;
      if ("refused" in answer) throw new PictureError(answer.refused.code, answer.refused.message);
      throw new TypeError("A worker answered another question.");
    },

    /**
     * Selects, cuts and describes the frames of an episode in one pass over them, in memory that does not grow with their number
     * apart from about 650 bytes for each that is kept. Throws what the frames throw, the signal's reason, RangeError for frames
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
        ...o,
      });
    },

    /** Ends the workers when they have done what they were asked for; nothing more is taken. */
    async close(): Promise<void> {
      isClosed = true;
      // A worker that answers while the pool is destroyed makes piscina throw where nobody can catch it.
      await Promise.allSettled(underWay);
      await pool.destroy();
    },
  };
}

/** Describes pictures and films in its own worker threads. */
export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** The promise, or the signal's reason as soon as it aborts. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = deferRejection();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function deferRejection(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  return { promise, reject };
}
