import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { CorruptDescriptorsError } from "../episode/corrupt-descriptors-error.ts";
import type { EncodedDescriptors } from "../episode/descriptor-codec.ts";
import type { EpisodeDescriptors } from "../episode/episode-descriptors.ts";
import type { ImageDescription } from "../image/image-description.ts";
import { sourceMode } from "../source-mode.ts";
import type { FrameIndexMethods, FrameIndexOptions, IndexCall, IndexReply } from "./frame-index-worker.ts";
import type { Scene } from "./scene.ts";
import type { SceneSearchOptions } from "./search-frames.ts";

/** Opens an empty index of frames in a worker thread of its own, so that no call stops the caller's event loop. Close it after use. */
export async function openFrameIndex(options: FrameIndexOptions) {
  const { call, throwIfEnded, failed, close } = startThread(options);

  return {
    /** Resolves when the thread died unasked: every call has been and will be rejected. */
    failed,

    /**
     * Takes the content of the cache, to be called first. Undefined when there is none, or it is cut off, damaged or of another model: then the
     * index stays empty, and the caller adds all episodes anew.
     */
    restore: (): Promise<{ seq: string; episodeKeys: string[] } | undefined> => call("restore"),

    /** Adds an episode, or replaces it: searches see all of the old one until they see all of the new one. RangeError for another model. */
    add: (episodeKey: string, descriptors: EpisodeDescriptors): Promise<void> =>
      call("add", episodeKey, descriptors),

    /**
     * Adds an episode as it is stored, decoded by the thread, which takes the bytes over: they are empty here afterwards. Throws
     * CorruptDescriptorsError, and changes nothing then.
     */
    addStored: (episodeKey: string, stored: EncodedDescriptors): Promise<void> =>
      call("addStored", episodeKey, stored),

    /** Takes an episode out; nothing happens when it is not there. */
    remove: (episodeKey: string): Promise<void> => call("remove", episodeKey),

    /**
     * Scenes that look like the image, best first, one per shot, at most `limit`; with `episodeKeys` only of these episodes.
     * Throws RangeError for an image described by another model.
     */
    search: (image: ImageDescription, o: SceneSearchOptions): Promise<Scene[]> => call("search", image, o),

    /** Opens a port through which another thread searches (`createPortSearch`). It must be closed there. */
    openSearchPort(): MessagePort {
      throwIfEnded();
      const { port1, port2 } = new MessageChannel();
      // An index that has ended closes the port, which the other thread notices.
      call("serve", port1).catch(() => port1.close());
      return port2;
    },

    /** Writes the cache, as a whole or not at all, with the change number of the library that it stands for. */
    save: (seq: string): Promise<void> => call("save", seq),

    /** `memoryBytes` is the memory of vectors and tables, reserved blocks included. */
    stats: (): Promise<{ frames: number; episodes: number; memoryBytes: number }> => call("stats"),

    /** Ends the thread once what was asked for is done. */
    close,
  };
}

/** Nearest neighbours among the frames of all episodes. */
export type FrameIndex = Awaited<ReturnType<typeof openFrameIndex>>;

type Pending = { resolve: (value: never) => void; reject: (error: Error) => void };

/** The index's thread and how to ask it: a question by name, answered by number. */
function startThread(options: FrameIndexOptions) {
  const { extension, workerOptions } = sourceMode;
  const file = new URL(`./frame-index-worker${extension}`, import.meta.url);
  const thread = new Worker(file, {
    workerData: options,
    ...workerOptions,
  });
  const pending = new Map<number, Pending>();
  const pendingCalls = new Set<Promise<unknown>>();
  let lastId = 0;
  let end: Error | undefined;
  let closed: Promise<void> | undefined;
  let reportFailure: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => {
    reportFailure = resolve;
  });

  const failAll = (error: Error) => {
    end ??= error;
    if (closed === undefined) reportFailure(end);
    for (const { reject } of pending.values()) reject(end);
    pending.clear();
  };
  thread.on("message", ({ id, result, error }: IndexReply) => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (error === undefined) waiting?.resolve(result as never);
    else waiting?.reject(restoreError(error));
  });
  thread.on("error", (cause) => failAll(new Error("The frame index has failed.", { cause })));
  thread.on("exit", (code) =>
    failAll(
      new Error(closed === undefined ? `The frame index has ended (${code}).` : "The frame index is closed."),
    ),
  );

  function call<M extends keyof FrameIndexMethods>(
    method: M,
    ...args: Parameters<FrameIndexMethods[M]>
  ): ReturnType<FrameIndexMethods[M]>;
  function call(method: IndexCall["method"], ...args: unknown[]): Promise<unknown> {
    const reply = new Promise((resolve, reject) => {
      if (end !== undefined || closed !== undefined) {
        reject(end ?? new Error("The frame index is closed."));
        return;
      }
      const id = ++lastId;
      pending.set(id, { resolve, reject });
      thread.postMessage({ id, method, args } satisfies IndexCall, transfersOf(method, args));
    });
    // Ports are closed by other threads, which may have ended.
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

/** The buffers that can be transferred without a copy: a part of a larger buffer may belong to another array too. */
function buffersOf({ frameTable, chunks }: EncodedDescriptors): ArrayBuffer[] {
  return [frameTable, ...chunks].flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}

/** Classes are lost between threads. */
function restoreError({ name, message }: { name: string; message: string }): Error {
  if (name === "CorruptDescriptorsError") return Object.assign(new CorruptDescriptorsError(""), { message });
  return name === "RangeError" ? new RangeError(message) : new Error(message);
}
