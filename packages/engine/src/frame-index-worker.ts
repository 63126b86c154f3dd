import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { decodeDescriptors, type EncodedDescriptors } from "./episode/descriptor-codec.ts";
import type { EpisodeDescriptors } from "./episode/episode-descriptors.ts";
import {
  createGraphImplementation,
  createListImplementation,
  type FrameImplementation,
  type FrameImplementationName,
} from "./frame-index/frame-implementation.ts";
import { createIndexCache } from "./frame-index/index-cache.ts";
import { type CleanUp, createIndexedFrames, openViews } from "./frame-index/indexed-frames.ts";
import { openStripFile } from "./frame-index/strip-file.ts";
import { serveCalls } from "./frame-index/thread-calls.ts";
import { openThumbnailFile } from "./frame-index/thumbnail-file.ts";
import type { ImageDescription } from "./image/image-description.ts";
import type { Model } from "./model/model.ts";
import { createBinaryNeighbours } from "./nearest-neighbours/binary-neighbours.ts";
import type { FrameVectors } from "./nearest-neighbours/frame-vectors.ts";
import { type SceneSearchOptions, type SearchRequest, searchFrames } from "./search/search-frames.ts";

/** Options of an index of frames. */
export type FrameIndexOptions = {
  model: Model;
  /**
   * Folder for `save` and `restore`, used by this index alone; created when missing. Without it both have no
   * effect.
   */
  cacheFolder?: string;
  /** How the nearest whole frames are found. `hnsw` needs hnswlib-node, compiled. Default: `lists`. */
  implementation?: FrameImplementationName;
};

const options: FrameIndexOptions = workerData;
const methods =
  options.implementation === "hnsw"
    ? createMethods(options, await createGraphImplementation(options.model))
    : createMethods(options, createListImplementation(options.model));

/** The methods of the index thread, by name. */
export type FrameIndexMethods = ReturnType<typeof createMethods>;

/** A call of a method of the index thread. */
export type IndexCall = { method: keyof FrameIndexMethods; args: unknown[] };

if (parentPort !== null)
  serveCalls(parentPort, async ({ method, args }: IndexCall) =>
    Reflect.apply(methods[method], undefined, args),
  );

function createMethods<V extends FrameVectors>(
  { model, cacheFolder, implementation: name = "lists" }: FrameIndexOptions,
  implementation: FrameImplementation<V>,
) {
  const { dimensions } = model;
  const cache =
    cacheFolder === undefined ? undefined : createIndexCache(cacheFolder, model, name, implementation);
  const openThumbnails = () => openThumbnailFile(cacheFolder);
  let frames = createIndexedFrames(model, {
    vectors: implementation.create(),
    thumbnails: openThumbnails(),
    strips: openStripFile(cacheFolder),
    episodes: [],
  });
  let regions = createIndexedFrames(model, {
    vectors: createBinaryNeighbours(dimensions, cacheFolder),
    thumbnails: openThumbnails(),
    strips: openStripFile(cacheFolder),
    episodes: [],
  });
  const inOrder = createQueue();

  async function restore(): Promise<{ seq: string; episodeKeys: string[] } | undefined> {
    const cached = await cache?.load();
    if (cached === undefined) return undefined;
    frames.close();
    regions.close();
    frames = createIndexedFrames(model, cached.frames);
    regions = createIndexedFrames(model, cached.regions);
    return { seq: cached.seq, episodeKeys: cached.frames.episodes.map(({ key }) => key) };
  }

  /** Frames are added before regions: a region without its frame is not found. */
  async function add(key: string, descriptors: EpisodeDescriptors): Promise<CleanUp> {
    const cleanUpFrames = await frames.add(key, descriptors);
    const cleanUpRegions = await (descriptors.regions === undefined
      ? regions.remove(key)
      : regions.add(key, descriptors.regions));
    return async () => {
      await cleanUpFrames();
      await cleanUpRegions();
    };
  }

  async function remove(key: string): Promise<CleanUp> {
    const cleanUps = [await regions.remove(key), await frames.remove(key)];
    return async () => {
      for (const cleanUp of cleanUps) await cleanUp();
    };
  }

  /** Resolves when the change is visible. The next change waits for the clean-up. */
  function change(work: () => Promise<CleanUp>): Promise<void> {
    return new Promise((resolve, reject) => {
      inOrder(async () => {
        const cleanUp = await work();
        resolve();
        await cleanUp();
      }).catch(reject);
    });
  }

  const search = (image: ImageDescription, o: SceneSearchOptions) =>
    searchFrames({ model, openViews: () => openViews({ frames, regions }) }, image, o);

  return {
    restore: () => inOrder(restore),
    add: (key: string, descriptors: EpisodeDescriptors) => change(() => add(key, descriptors)),
    addStored: (key: string, { frameTable, chunks }: EncodedDescriptors) =>
      change(async () => add(key, decodeDescriptors(model.id, frameTable, chunks))),
    remove: (key: string) => change(() => remove(key)),
    save: (seq: string) =>
      inOrder(async () => await cache?.save({ seq, frames: frames.content(), regions: regions.content() })),
    search: async (image: ImageDescription, o: SceneSearchOptions) => (await search(image, o)).scenes,
    serve: (port: MessagePort) =>
      serveCalls(port, ({ image, options }: SearchRequest) => search(image, options)),
    async stats() {
      const own = frames.stats();
      return { ...own, memoryBytes: own.memoryBytes + regions.stats().memoryBytes };
    },
  };
}

/** Runs changes of the index one after another. Searches bypass the queue. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
