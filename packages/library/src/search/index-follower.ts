import type { Database } from "@koma/database";
import { CorruptDescriptorsError, type FrameIndex } from "@koma/engine";

const changesPerPoll = 100;

export type FollowerParts = {
  database: Database;
  index: FrameIndex;
  modelId: string;
  onLog: (message: string) => void;
};

/** Receives the number of episodes read while an index is updated. */
export type FollowerProgress = (progress: { done: number; total: number }) => void;

type FollowOptions = { onProgress?: FollowerProgress | undefined; signal?: AbortSignal | undefined };

/**
 * Synchronises a frame index with the published episodes. Applying a change twice, or one of a deleted
 * episode, has no effect, so changes need no transaction.
 */
export function createIndexFollower({ database, index, modelId, onLog }: FollowerParts) {
  const { episodes, libraryChanges } = database;
  let keys = new Set<string>();
  let seq = 0n;
  let savedSeq: bigint | undefined;

  return {
    /** True when the cache on disk is older than the index. */
    isUnsaved: () => seq !== savedSeq,

    /** Loads the cache, then applies later changes. */
    async start(o: FollowOptions): Promise<void> {
      const [cached, listed] = await Promise.all([index.restore(), listEpisodes()]);
      keys = new Set(cached?.episodeKeys);
      seq = BigInt(cached?.seq ?? 0);
      savedSeq = cached === undefined ? undefined : seq;
      await applyDifferences(listed, o);
    },

    /**
     * Applies new changes; returns true when there were any. After an abort the next call applies the rest.
     */
    async poll(signal: AbortSignal): Promise<boolean> {
      const seqBefore = seq;
      // Removals are stored for a limited time; a follower that paused for longer compares all episodes.
      if (seq < (await libraryChanges.oldestSeq())) await applyDifferences(await listEpisodes(), { signal });
      for (let isMore = true; isMore; ) {
        const changes = await libraryChanges.listSince(seq, modelId, changesPerPoll);
        for (const change of changes) {
          if (signal.aborted) return seq !== seqBefore;
          if (change.kind === "ready") await take(change.episodeId);
          else await drop(change.episodeId);
          seq = change.seq;
        }
        isMore = changes.length === changesPerPoll;
      }
      return seq !== seqBefore;
    },

    /** Writes the cache. */
    async save(): Promise<void> {
      const savingSeq = seq;
      await index.save(String(savingSeq));
      savedSeq = savingSeq;
    },
  };

  async function listEpisodes() {
    // It is read before the list: changes published in between are applied again by the next poll.
    const newestSeq = await libraryChanges.currentSeq();
    return { newestSeq, ready: await episodes.listReady(modelId) };
  }

  async function applyDifferences(
    { newestSeq, ready }: Awaited<ReturnType<typeof listEpisodes>>,
    o: FollowOptions,
  ): Promise<void> {
    // A cache with a higher number belongs to another database.
    const knownSeq = seq > newestSeq ? 0n : seq;
    const readyIds = new Set(ready.map(({ episodeId }) => episodeId));
    for (const key of [...keys]) if (!readyIds.has(key)) await drop(key);
    const selected = ready.filter(({ episodeId, seq }) => seq > knownSeq || !keys.has(episodeId));
    for (const [done, { episodeId }] of selected.entries()) {
      o.signal?.throwIfAborted();
      o.onProgress?.({ done, total: selected.length });
      await take(episodeId);
    }
    if (selected.length > 0) o.onProgress?.({ done: selected.length, total: selected.length });
    seq = newestSeq;
  }

  /** An episode that was deleted, or whose descriptors are corrupt, is not searched. */
  async function take(episodeId: string): Promise<void> {
    const stored = await episodes.readDescriptors(episodeId, modelId);
    if (stored === undefined) return await drop(episodeId);
    try {
      await index.addStored(episodeId, stored);
      keys.add(episodeId);
    } catch (error) {
      if (!(error instanceof CorruptDescriptorsError)) throw error;
      onLog(
        `The stored descriptors of episode ${episodeId} are damaged; index its video again with --force.`,
      );
      await drop(episodeId);
    }
  }

  async function drop(episodeId: string): Promise<void> {
    if (!keys.has(episodeId)) return;
    await index.remove(episodeId);
    keys.delete(episodeId);
  }
}
