import { parentPort, workerData } from "node:worker_threads";
import { decodeDescriptors, type EncodedDescriptors } from "../episode/descriptor-codec.ts";
import type { EpisodeDescriptors } from "../episode/episode-descriptors.ts";
import { createExactNeighbours } from "./exact-neighbours.ts";
import type { FrameIndexOptions } from "./frame-index.ts";
import { createHnswNeighbours, hnswFormat } from "./hnsw-neighbours.ts";
import { createIndexCache } from "./index-cache.ts";
import { createIndexedFrames, type IndexedFrames } from "./indexed-frames.ts";
import { createRegionCaches } from "./region-caches.ts";
import { createSignNeighbours } from "./sign-neighbours.ts";
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
  const cache =
    cacheFolder === undefined
      ? undefined
      : createIndexCache(cacheFolder, model, hnswFormat(model.dimensions));
  const regionCaches = cacheFolder === undefined ? undefined : createRegionCaches(cacheFolder, model);
  let cachedSeq: string | undefined;
  const createNeighbours = () => createHnswNeighbours(model.dimensions);
  const openThumbnails = () => openThumbnailFile(cacheFolder);
  const createRegionNeighbours = () => createSignNeighbours(model.dimensions, cacheFolder);
  const regionParts = { model, createNeighbours: createRegionNeighbours, openThumbnails };
  let regions = createIndexedFrames(regionParts);
  let frames = createIndexedFrames({ model, createNeighbours, openThumbnails, regions });
  const inTurn = createQueue();

  return {
    restore: () =>
      inTurn(async () => {
        const cached = await cache?.load();
        const cachedRegions = cached && (await regionCaches?.load(cached.seq));
        if (cached === undefined || cachedRegions === undefined) {
          cached?.thumbnails.close();
          return undefined;
        }
        cachedSeq = cached.seq;
        frames.close();
        regions.close();
        regions = createIndexedFrames({ ...regionParts, initial: cachedRegions });
        frames = createIndexedFrames({ model, createNeighbours, openThumbnails, initial: cached, regions });
        return { seq: cached.seq, episodeKeys: cached.episodes.map(({ key }) => key) };
      }),
    add: (key: string, descriptors: EpisodeDescriptors) =>
      inTurn(() => addEpisode({ frames, regions }, key, descriptors)),
    addStored: (key: string, { frameTable, chunks }: EncodedDescriptors) =>
      inTurn(() => addEpisode({ frames, regions }, key, decodeDescriptors(model.id, frameTable, chunks))),
    remove: (key: string) => inTurn(() => removeEpisode({ frames, regions }, key)),
    save: (seq: string) =>
      inTurn(async () => {
        // The frames last: regions without frames of the same change number are never taken.
        await regionCaches?.save({ seq, ...regions.content() });
        await cache?.save({ seq, ...frames.content() });
        await regionCaches?.removeOthers(seq, cachedSeq);
        cachedSeq = seq;
      }),
    search: (...args: Parameters<typeof frames.search>) => frames.search(...args),
    stats: async () => statsOf({ frames, regions }),
  };
}

/** Exact search keeps nothing on disk. */
function createExactMethods({ model }: FrameIndexOptions): FrameIndexMethods {
  const parts = { model, createNeighbours: createExactNeighbours, openThumbnails: openThumbnailFile };
  const regions = createIndexedFrames(parts);
  const frames = createIndexedFrames({ ...parts, regions });
  const inTurn = createQueue();
  return {
    restore: async () => undefined,
    add: (key, descriptors) => inTurn(() => addEpisode({ frames, regions }, key, descriptors)),
    addStored: (key, { frameTable, chunks }) =>
      inTurn(() => addEpisode({ frames, regions }, key, decodeDescriptors(model.id, frameTable, chunks))),
    remove: (key) => inTurn(() => removeEpisode({ frames, regions }, key)),
    save: async () => undefined,
    search: (...args) => frames.search(...args),
    stats: async () => statsOf({ frames, regions }),
  };
}

type Indexed = Pick<IndexedFrames, "add" | "remove" | "stats">;
type FramesAndRegions = { frames: Indexed; regions: Indexed };

/** Regions of frames that are not searched yet are not found: their frames come first. */
async function addEpisode({ frames, regions }: FramesAndRegions, key: string, all: EpisodeDescriptors) {
  await frames.add(key, all);
  if (all.regions === undefined) await regions.remove(key);
  else await regions.add(key, all.regions);
}

async function removeEpisode({ frames, regions }: FramesAndRegions, key: string) {
  await regions.remove(key);
  await frames.remove(key);
}

function statsOf({ frames, regions }: FramesAndRegions) {
  const own = frames.stats();
  return { ...own, memoryBytes: own.memoryBytes + regions.stats().memoryBytes };
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
