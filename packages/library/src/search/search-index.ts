import { type Database, type FrameIndexStore, IndexUnavailableError } from "@koma/database";
import {
  CorruptDescriptorsError,
  createStoredIndex,
  type FrameIndex,
  type Model,
  openFrameIndex,
} from "@koma/engine";
import { findHnswProblem } from "./hnsw-problem.ts";
import { createIndexFollower, type FollowerProgress } from "./index-follower.ts";
import { createIndexProgress } from "./index-progress.ts";

/**
 * Where the index of frames is: in the memory of this process, as lists of Koma or as a graph of hnswlib-node, or in
 * PostgreSQL with pgvector.
 */
export type IndexKind = "embedded" | "hnsw" | "postgres";

export type SearchIndexParts = {
  database: Database;
  model: Model;
  kind: IndexKind;
  /** The cache of an index in the memory of this process. */
  cacheFolder: string;
  /** One of this kind and cache without a call but `restore`, which is used instead of a new one. */
  opened?: Promise<FrameIndex> | undefined;
  onLog: (message: string) => void;
};

type StartOptions = {
  follow: boolean;
  onProgress?: FollowerProgress | undefined;
  signal?: AbortSignal | undefined;
};

/** An index of the published episodes. */
export type SearchIndex = Pick<FrameIndex, "openSearchPort" | "failed"> & {
  /** Adds the published episodes, and with `follow` only those that the first search cannot wait for. */
  start(o: StartOptions): Promise<void>;
  /** Applies new changes; returns true when the content of the index changed. */
  poll(signal: AbortSignal): Promise<boolean>;
  stats(): Promise<{ frames: number; episodes: number; memoryBytes: number }>;
  /** True when the cache on disk is older than the index. */
  isUnsaved(): boolean;
  save(): Promise<void>;
  /** Builds the index again from the stored descriptors. */
  rebuild(o: Omit<StartOptions, "follow">): Promise<void>;
  close(): Promise<void>;
};

const setsPerPoll = 20;

/** Opens the index of this kind, which the caller must close. Throws IndexUnavailableError. */
export async function openSearchIndex(parts: SearchIndexParts): Promise<SearchIndex> {
  if (parts.kind === "postgres") {
    return openStoredIndex(parts, await parts.database.openFrameIndex(parts.model));
  }
  const { database, model, onLog } = parts;
  const index = await (parts.opened ?? openOwnIndex(parts));
  const follower = createIndexFollower({ database, index, modelId: model.id, onLog });
  return {
    openSearchPort: index.openSearchPort,
    failed: index.failed,
    start: (o) => follower.start(o),
    poll: (signal) => follower.poll(signal),
    stats: () => index.stats(),
    isUnsaved: () => follower.isUnsaved(),
    save: () => follower.save(),
    async rebuild(o) {
      await follower.start(o);
      await follower.save();
    },
    close: () => index.close(),
  };
}

/** Opens an index in the memory of this process, which the caller must close. Throws IndexUnavailableError. */
export async function openOwnIndex({
  model,
  kind,
  cacheFolder,
}: Pick<SearchIndexParts, "model" | "kind" | "cacheFolder">): Promise<FrameIndex> {
  if (kind !== "hnsw") return await openFrameIndex({ model, cacheFolder });
  const problem = await findHnswProblem();
  if (problem !== undefined) throw new IndexUnavailableError(problem);
  return await openFrameIndex({ model, cacheFolder, implementation: "hnsw" });
}

/**
 * An index in the database needs no start: several processes add the published episodes that it lacks, each
 * episode in one transaction, and the database removes those that are deleted.
 */
function openStoredIndex({ database, model, onLog }: SearchIndexParts, store: FrameIndexStore): SearchIndex {
  const index = createStoredIndex(model, store);
  const progress = createIndexProgress();
  const damaged = new Set<string>();
  let episodesBefore = -1;

  /**
   * Adds at most `limit` episodes of later changes than `afterSeq` that the index lacks. Returns how many were
   * listed and added. An episode that fails does not exclude the others; the error is thrown if none was added.
   */
  async function addSome(options: {
    limit: number;
    afterSeq: bigint;
    waits: boolean;
    signal: AbortSignal | undefined;
  }) {
    const { limit, afterSeq, waits, signal } = options;
    const sets = await store.listUnindexed({ limit, afterSeq, except: [...damaged] });
    let added = 0;
    let failure: unknown;
    for (const set of sets) {
      signal?.throwIfAborted();
      try {
        if (await store.add(set, index.toRows, { waits })) added++;
      } catch (error) {
        if (!(error instanceof CorruptDescriptorsError)) {
          failure ??= error;
          continue;
        }
        onLog(
          `The stored descriptors of episode ${set.episodeId} are damaged; index its video again with --force.`,
        );
        damaged.add(set.setId);
      }
    }
    if (failure !== undefined && added === 0) throw failure;
    return { listed: sets.length, added };
  }

  async function addAll({ onProgress, signal }: Omit<StartOptions, "follow">): Promise<void> {
    for (let done = 0, listed = setsPerPoll; listed === setsPerPoll; done += listed) {
      // Episodes that another process is adding are awaited, so that the index is complete afterwards.
      ({ listed } = await addSome({ limit: setsPerPoll, afterSeq: 0n, waits: true, signal }));
      onProgress?.({ done: done + listed, total: done + listed });
    }
  }

  return {
    openSearchPort: index.openSearchPort,
    // A failed database rejects single searches.
    failed: new Promise(() => undefined),
    start: async (o) => (o.follow ? undefined : addAll(o)),
    async poll(signal) {
      const newestSeq = await database.libraryChanges.currentSeq();
      const afterSeq = progress.missingAfter(newestSeq);
      if (afterSeq === undefined) return false;
      // Searches begin with the first episode.
      const limit = episodesBefore <= 0 ? 1 : setsPerPoll;
      // An abort ends the work after the current episode, and the next process continues.
      const { listed, added } = await addSome({ limit, afterSeq, waits: false, signal }).catch(
        (error: unknown) => {
          if (signal.aborted) return { listed: 1, added: 0 };
          throw error;
        },
      );
      // An episode that another process is adding is listed until that process has committed it.
      if (listed === 0) progress.setComplete(newestSeq);
      const { episodes } = await store.stats();
      const hasChanged = added > 0 || episodes !== episodesBefore;
      episodesBefore = episodes;
      return hasChanged;
    },
    stats: async () => ({ ...(await store.stats()), memoryBytes: 0 }),
    isUnsaved: () => false,
    save: async () => undefined,
    rebuild: (o) => store.rebuild(() => addAll(o)),
    close: async () => index.close(),
  };
}
