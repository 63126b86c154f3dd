import type { Database } from "@koma/database";
import { CorruptDescriptorsError, type FrameIndex } from "@koma/engine";

const changesPerPoll = 100;

export type FollowerParts = {
  database: Database;
  index: FrameIndex;
  modelId: string;
  onLog: (message: string) => void;
};

export type FollowerProgress = (progress: { done: number; total: number }) => void;

/**
 * Keeps a frame index in step with the published episodes. Taking a change twice, or one whose episode is gone by now,
 * does no harm, so that nothing has to be atomic here.
 */
export function createIndexFollower({ database, index, modelId, onLog }: FollowerParts) {
  const { episodes, libraryChanges } = database;
  let keys = new Set<string>();
  let seq = 0n;
  let savedSeq: bigint | undefined;

  return {
    /** True when the cache on disk is behind the index. */
    isUnsaved: () => seq !== savedSeq,

    /** Takes the cache, then everything that changed since. */
    async start(o: {
      onProgress?: FollowerProgress | undefined;
      signal?: AbortSignal | undefined;
    }): Promise<void> {
      const cached = await index.restore();
      keys = new Set(cached?.episodeKeys);
      seq = BigInt(cached?.seq ?? 0);
      savedSeq = cached === undefined ? undefined : seq;
      await compareAll(o);
    },

    /** Takes new changes; true when there were any. An abort leaves the rest for the next time. */
    async poll(signal: AbortSignal): Promise<boolean> {
      const seqBefore = seq;
      // Who slept for a month has missed removals that nobody remembers.
      if (seq < (await libraryChanges.oldestSeq())) await compareAll({ signal });
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

  async function compareAll(o: {
    onProgress?: FollowerProgress | undefined;
    signal?: AbortSignal | undefined;
  }) {
    // Read before the list: what is published in between is taken again with the next poll.
    const newestSeq = await libraryChanges.currentSeq();
    // A cache that is ahead belongs to another database.
    const knownSeq = seq > newestSeq ? 0n : seq;
    const ready = await episodes.listReady(modelId);
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

  /** An episode that is gone by now, or whose descriptors are damaged, is not searched. */
  async function take(episodeId: string): Promise<void> {
    const stored = await episodes.readDescriptors(episodeId, modelId);
    if (stored === undefined) return await drop(episodeId);
    try {
      await index.addStored(episodeId, stored);
      keys.add(episodeId);
    } catch (error) {
      if (!(error instanceof CorruptDescriptorsError)) throw error;
      onLog(`The stored descriptors of episode ${episodeId} are damaged; index its film again with --force.`);
      await drop(episodeId);
    }
  }

  async function drop(episodeId: string): Promise<void> {
    if (!keys.has(episodeId)) return;
    await index.remove(episodeId);
    keys.delete(episodeId);
  }
}
