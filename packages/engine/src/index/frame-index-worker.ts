import { parentPort, workerData } from "node:worker_threads";
import { decodeDescriptors, type EncodedDescriptors } from "../episode/descriptor-codec.ts";
import type { EpisodeDescriptors } from "../episode/episode-descriptors.ts";
import { createExactNeighbours } from "./exact-neighbours.ts";
import type { FrameIndexOptions } from "./frame-index.ts";
import { createHnswNeighbours } from "./hnsw-neighbours.ts";
import { createIndexCache } from "./index-cache.ts";
import { createIndexedFrames } from "./indexed-frames.ts";
import { openThumbnailFile } from "./thumbnail-file.ts";

const options: FrameIndexOptions = workerData;
const methods = options.kind === "exact" ? createExactMethods(options) : createHnswMethods(options);

/** What the index's thread can be asked for, by name. */
export type FrameIndexMethods = ReturnType<typeof createHnswMethods>;

/** A question to the thread and its answer; `id` joins them. */
export type IndexCall = { id: number; method: keyof FrameIndexMethods; args: unknown[] };
export type IndexReply = { id: number; result?: unknown; error?: { name: string; message: string } };

parentPort?.on("message", async ({ id, method, args }: IndexCall) => {
  const reply: IndexReply = { id };
  try {
    reply.result = await Reflect.apply(methods[method], undefined, args);
  } catch (error) {
    reply.error =
      error instanceof Error
        ? { name: error.name, message: error.message }
        : { name: "Error", message: String(error) };
  }
  parentPort?.postMessage(reply);
});

function createHnswMethods({ model, cacheFolder }: FrameIndexOptions) {
  const cache = cacheFolder === undefined ? undefined : createIndexCache(cacheFolder, model);
  const createNeighbours = () => createHnswNeighbours(model.dimensions);
  const openThumbnails = () => openThumbnailFile(cacheFolder);
  let frames = createIndexedFrames({ model, createNeighbours, openThumbnails });
  const inTurn = createQueue();

  return {
    restore: () =>
      inTurn(async () => {
        const cached = await cache?.load();
        if (cached === undefined) return undefined;
        frames.close();
        frames = createIndexedFrames({ model, createNeighbours, openThumbnails, initial: cached });
        return { seq: cached.seq, episodeKeys: cached.episodes.map(({ key }) => key) };
      }),
    add: (key: string, descriptors: EpisodeDescriptors) => inTurn(() => frames.add(key, descriptors)),
    addStored: (key: string, { frameTable, chunks }: EncodedDescriptors) =>
      inTurn(() => frames.add(key, decodeDescriptors(model.id, frameTable, chunks))),
    remove: (key: string) => inTurn(() => frames.remove(key)),
    save: (seq: string) => inTurn(async () => cache?.save({ seq, ...frames.content() })),
    search: (...args: Parameters<typeof frames.search>) => frames.search(...args),
    stats: async () => frames.stats(),
  };
}

/** Exact search keeps nothing on disk. */
function createExactMethods({ model }: FrameIndexOptions): FrameIndexMethods {
  const frames = createIndexedFrames({
    model,
    createNeighbours: createExactNeighbours,
    openThumbnails: openThumbnailFile,
  });
  const inTurn = createQueue();
  return {
    restore: async () => undefined,
    add: (key, descriptors) => inTurn(() => frames.add(key, descriptors)),
    addStored: (key, { frameTable, chunks }) =>
      inTurn(() => frames.add(key, decodeDescriptors(model.id, frameTable, chunks))),
    remove: (key) => inTurn(() => frames.remove(key)),
    save: async () => undefined,
    search: (...args) => frames.search(...args),
    stats: async () => frames.stats(),
  };
}

/** Runs what changes the index one after another; searches do not wait in it. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
