import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "@koma/database";
import { leaseSeconds, renewGapMs } from "../indexing/hold-claim.ts";
import type { IndexEvent } from "../indexing/index-event.ts";
import { createPathMapping, type MappedRoot } from "../indexing/path-mapping.ts";
import { defaultJobs } from "../indexing/settle-all.ts";
import { createTakenVideoIndexer, maxAttempts, type TakenVideoParts } from "./index-taken-video.ts";

export type WorkerOptions = {
  /** Videos that are indexed concurrently; by default one per four processors, at least two. */
  jobs?: number | undefined;
  /** Where the folders of the queueing machine are on this one; the worker takes only videos in them. */
  roots?: readonly MappedRoot[] | undefined;
  /** Where this machine serves previews of the videos in its roots, as "host:port". */
  previewAddress?: string | undefined;
  /** Ends when no video waits or runs, on any worker. Default: waits for videos until the signal. */
  drain?: boolean | undefined;
  onEvent?: ((event: IndexEvent) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** What a worker did. `dead`: its videos that are not tried again by themselves. */
export type WorkerSummary = { name: string; done: number; retried: number; dead: number; isStopped: boolean };

/**
 * Takes videos from the queue and indexes them, as `indexPaths` does, until the signal or, with `drain`,
 * until the queue is empty. The worker waits for an unavailable database. On the signal, running videos
 * return to the queue.
 * Throws PathMappingError, and the error of a failure that is not about one video.
 */
export async function runWorker(
  parts: Omit<TakenVideoParts, "mapping">,
  o: WorkerOptions,
): Promise<WorkerSummary> {
  const { indexQueue } = parts.database;
  const mapping = createPathMapping(o.roots ?? []);
  // A worker without ffmpeg must not take videos.
  await parts.getTools();
  const name = `${hostname()}:${process.pid}`;
  const summary: WorkerSummary = { name, done: 0, retried: 0, dead: 0, isStopped: false };
  // Aborts the other jobs when one meets a failure that is not about its video.
  const ending = new AbortController();
  const signal = o.signal === undefined ? ending.signal : AbortSignal.any([o.signal, ending.signal]);
  await parts.database.collectGarbage();
  const workerId = await indexQueue.registerWorker(name, {
    folders: mapping.folders,
    previewAddress: o.previewAddress,
  });
  const indexTaken = createTakenVideoIndexer({ ...parts, mapping });
  const heartbeat = setInterval(() => indexQueue.beat(workerId).catch(() => undefined), renewGapMs);
  let hasNewEpisodes = false;
  let isDatabaseAway = false;

  try {
    const jobs = Math.max(1, o.jobs ?? defaultJobs());
    const results = await Promise.allSettled(Array.from({ length: jobs }, () => work().catch(endAll)));
    if (o.signal?.aborted === true) summary.isStopped = true;
    else for (const result of results) if (result.status === "rejected") throw result.reason;
  } finally {
    clearInterval(heartbeat);
    await indexQueue.removeWorker(workerId).catch(() => undefined);
  }
  return summary;

  async function work(): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const hasTaken = await indexNext();
        isDatabaseAway = false;
        if (hasTaken) continue;
        if (o.drain === true && (await indexQueue.countOpen(mapping.folders)) === 0) return;
      } catch (error) {
        signal.throwIfAborted();
        if (!isDatabaseUnavailable(error)) throw error;
        if (!isDatabaseAway) parts.onLog("The database is unavailable; the worker tries again.");
        isDatabaseAway = true;
      }
      await sleep(pollMs, undefined, { signal });
    }
  }

  /** Indexes the next video; false when none is due. */
  async function indexNext(): Promise<boolean> {
    const claim = await indexQueue.take({
      workerId,
      leaseSeconds,
      maxAttempts,
      folders: mapping.folders,
    });
    if (claim === undefined) {
      await dropOtherModels();
      return false;
    }
    const outcome = await indexTaken(claim, { onEvent: o.onEvent ?? (() => undefined), signal });
    if (outcome === undefined) return true;
    summary[outcome] += 1;
    if (outcome === "done") hasNewEpisodes = true;
    await indexQueue.beat(workerId, outcome === "done" ? { videosDone: 1 } : { failures: 1 });
    return true;
  }

  /** Deletes descriptors of an earlier model after the last video, as `indexPaths` does at its end. */
  async function dropOtherModels(): Promise<void> {
    if (!hasNewEpisodes) return;
    hasNewEpisodes = false;
    await parts.database.episodes.dropOtherModels(parts.modelId);
  }

  function endAll(error: unknown): never {
    ending.abort(error);
    throw error;
  }
}

const pollMs = 1000;
