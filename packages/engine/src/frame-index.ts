import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { CorruptDescriptorsError } from "./episode/corrupt-descriptors-error.ts";
import type { EncodedDescriptors } from "./episode/descriptor-codec.ts";
import type { EpisodeDescriptors } from "./episode/episode-descriptors.ts";
import type { IndexPort } from "./frame-index/index-port.ts";
import { createThreadCalls, type ThreadError } from "./frame-index/thread-calls.ts";
import type { FrameIndexMethods, FrameIndexOptions, IndexCall } from "./frame-index-worker.ts";
import type { ImageDescription } from "./image/image-description.ts";
import type { Scene } from "./search/scene.ts";
import type { SceneSearchOptions } from "./search/search-frames.ts";

/**
 * Opens an empty index of frames in a worker thread, so that calls do not block the event loop of the caller.
 * The caller must close it.
 */
export async function openFrameIndex(options: FrameIndexOptions) {
  const { call, throwIfEnded, failed, close } = startThread(options);
  let restored: Promise<{ seq: string; episodeKeys: string[] } | undefined> | undefined;

  return {
    /** Resolves when the thread exited unexpectedly: every pending and later call is rejected. */
    failed,

    /**
     * Restores the content of the cache; must be the first call, and a second one has its result. Returns
     * undefined when the cache is missing, truncated, corrupt or of another model: then the index stays empty, and
     * the caller adds all episodes again.
     */
    restore(): Promise<{ seq: string; episodeKeys: string[] } | undefined> {
      restored ??= call("restore");
      return restored;
    },

    /**
     * Adds or replaces an episode. Searches see the whole old version until they see the whole new one.
     * Throws RangeError for another model.
     */
    add: (episodeKey: string, descriptors: EpisodeDescriptors): Promise<void> =>
      call("add", episodeKey, descriptors),

    /**
     * Adds an episode in its stored form, which the thread decodes. The buffers are transferred and empty
     * afterwards. Throws CorruptDescriptorsError and then changes nothing.
     */
    addStored: (episodeKey: string, stored: EncodedDescriptors): Promise<void> =>
      call("addStored", episodeKey, stored),

    /** Removes an episode; has no effect when it is not stored. */
    remove: (episodeKey: string): Promise<void> => call("remove", episodeKey),

    /**
     * Returns the scenes that resemble the image, best first, one per shot, at most `limit`; with
     * `episodeKeys` only of these episodes. Throws RangeError for an image described by another model.
     */
    search: (image: ImageDescription, o: SceneSearchOptions): Promise<Scene[]> => call("search", image, o),

    /** Opens a port through which another thread searches (`connectIndex`). That thread must close it. */
    openSearchPort(): IndexPort {
      throwIfEnded();
      const { port1, port2 } = new MessageChannel();
      // A closed index closes the port, which notifies the other thread.
      call("serve", port1).catch(() => port1.close());
      return { serves: "searches", port: port2 };
    },

    /** Writes the cache atomically with the change number of the library that it represents. */
    save: (seq: string): Promise<void> => call("save", seq),

    /** `memoryBytes` is the memory of vectors and tables, including reserved blocks. */
    stats: (): Promise<{ frames: number; episodes: number; memoryBytes: number }> => call("stats"),

    /** Stops the thread after the pending calls. */
    close,
  };
}

/** Nearest neighbours among the frames of all episodes. */
export type FrameIndex = Awaited<ReturnType<typeof openFrameIndex>>;

/** The thread of the index. Its calls end when it exits. */
function startThread(options: FrameIndexOptions) {
  const thread = new Worker(new URL("./frame-index-worker.ts", import.meta.url), { workerData: options });
  const calls = createThreadCalls<IndexCall>(thread, restoreError);
  const pendingCalls = new Set<Promise<unknown>>();
  let end: Error | undefined;
  let closed: Promise<void> | undefined;
  const { promise: failed, resolve: reportFailure } = Promise.withResolvers<Error>();

  const failAll = (error: Error) => {
    end ??= error;
    if (closed === undefined) reportFailure(end);
    calls.end(end);
  };
  thread.on("error", (cause) => failAll(new Error("The frame index has failed.", { cause })));
  thread.on("exit", (code) =>
    failAll(
      new Error(
        closed === undefined ? `The frame index exited (code ${code}).` : "The frame index is closed.",
      ),
    ),
  );

  function call<M extends keyof FrameIndexMethods>(
    method: M,
    ...args: Parameters<FrameIndexMethods[M]>
  ): ReturnType<FrameIndexMethods[M]>;
  function call(method: IndexCall["method"], ...args: unknown[]): Promise<unknown> {
    const error = end ?? (closed === undefined ? undefined : new Error("The frame index is closed."));
    const reply =
      error === undefined
        ? calls.call<unknown>({ method, args }, transfersOf(method, args))
        : Promise.reject(error);
    // Other threads close ports and may have exited.
    if (method !== "serve") pendingCalls.add(reply);
    return reply.finally(() => pendingCalls.delete(reply));
  }

  async function finish(): Promise<void> {
    await Promise.allSettled(pendingCalls);
    await thread.terminate();
  }

  function throwIfEnded(): void {
    if (end !== undefined || closed !== undefined) throw end ?? new Error("The frame index is closed.");
  }

  return {
    call,
    throwIfEnded,
    failed,
    close: (): Promise<void> => {
      closed ??= finish();
      return closed;
    },
  };
}

function transfersOf(method: IndexCall["method"], args: readonly unknown[]): (ArrayBuffer | MessagePort)[] {
  if (method === "serve") return [args[0] as MessagePort];
  return method === "addStored" ? buffersOf(args[1] as EncodedDescriptors) : [];
}

/**
 * Returns the buffers that can be transferred without a copy: a part of a larger buffer may belong to another
 * array.
 */
function buffersOf({ frameTable, chunks }: EncodedDescriptors): ArrayBuffer[] {
  return [frameTable, ...chunks].flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}

/** Threads do not preserve error classes. */
function restoreError({ name, message }: ThreadError): Error {
  if (name === "CorruptDescriptorsError") return Object.assign(new CorruptDescriptorsError(""), { message });
  return name === "RangeError" ? new RangeError(message) : new Error(message);
}
