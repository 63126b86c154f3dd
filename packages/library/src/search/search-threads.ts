import { join } from "node:path";
import {
  type Engine,
  type FrameIndex,
  loadModel,
  type Model,
  openEngine,
  openFrameIndex,
} from "@koma/engine";
import { chooseWorkerCount } from "../worker-count.ts";
import type { IndexKind } from "./search-index.ts";

/** The threads of a search, which start while the modules of the library and of the database are imported. */
export type SearchThreads = {
  model: Model;
  workers: number;
  engine: Promise<Engine>;
  /** The embedded index, which restores its cache; undefined for another kind, which can be missing. */
  index: Promise<FrameIndex> | undefined;
  /** Stops them after the running calls. */
  close(): Promise<void>;
};

/**
 * Starts the threads of the first search of a library. The caller must close them. `images`: the number of images to
 * search, which need no more threads.
 */
export async function startSearchThreads(options: {
  dataDir: string;
  index: IndexKind;
  engineWorkers: number | undefined;
  images: number;
}): Promise<SearchThreads> {
  const workers = Math.min(options.engineWorkers ?? chooseWorkerCount(), options.images);
  const model = await loadModel();
  const engine = openEngine({ model, workers });
  const index = options.index === "embedded" ? openRestoring(model, indexFolder(options.dataDir)) : undefined;
  // Their errors reach those that use them, which may begin later.
  engine.catch(() => undefined);
  index?.catch(() => undefined);
  return {
    model,
    workers,
    engine,
    index,
    async close() {
      for (const thread of await Promise.allSettled([engine, index]))
        if (thread.status === "fulfilled") await thread.value?.close();
    },
  };
}

async function openRestoring(model: Model, cacheFolder: string): Promise<FrameIndex> {
  const index = await openFrameIndex({ model, cacheFolder });
  // An error reaches the caller of the next call.
  index.restore().catch(() => undefined);
  return index;
}

/** The folder of the cache of an index in the memory of a process. */
export function indexFolder(dataDir: string): string {
  return join(dataDir, "index");
}
