import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexingParts } from "./describe-video.ts";
import { discoverVideos, type FoundVideo } from "./discover-videos.ts";
import type { IndexEvent, IndexOptions, IndexSummary } from "./index-event.ts";
import { selectChanged } from "./select-changed.ts";
import { createVideoSettler, type FindDescription } from "./settle-video.ts";
import { createVideoNaming } from "./video-naming.ts";

const busyPollMs = 1000;

/**
 * Synchronises the library with the videos at these paths: unchanged ones are skipped, moved ones recognised,
 * new and changed ones described. A run may be interrupted at any point and repeated. Throws only when the
 * library itself fails.
 */
export async function indexPaths(
  parts: IndexingParts & { findDescription?: FindDescription | undefined },
  paths: readonly string[],
  o: IndexOptions = {},
): Promise<IndexSummary> {
  const { database, modelId } = parts;
  const summary = emptySummary();
  const onEvent = (event: IndexEvent): void => {
    count(summary, event);
    o.onEvent?.(event);
  };
  // Aborts the other jobs when the user stops the run or a job meets a failure of the library itself.
  const ending = new AbortController();
  const signal = o.signal === undefined ? ending.signal : AbortSignal.any([o.signal, ending.signal]);
  try {
    const { videos, problems } = await discoverVideos(paths, signal);
    const bytes = videos.reduce((sum, video) => sum + video.sizeBytes, 0);
    for (const problem of problems) onEvent({ kind: "failed", ...problem });
    onEvent({ kind: "discovered", files: videos.length, bytes });
    await database.collectGarbage();
    const stale = new Set(await database.episodes.listStale(modelId));
    const naming = createVideoNaming(database, o);
    const settle = createVideoSettler({
      ...parts,
      naming,
      stale,
      isSample: o.isSample === true,
      force: o.force === true,
      fast: o.fast === true,
    });
    const changed =
      o.force === true || naming.isExplicit
        ? videos
        : await selectChanged(database, videos, { stale, onUnchanged: skip });
    await settleAll(changed, (video) => settle(video, { onEvent, signal }));
  } catch (error) {
    if (o.signal?.aborted !== true) throw error;
    summary.isStopped = true;
  }
  return summary;

  function skip(video: FoundVideo): void {
    onEvent({ kind: "skipped", file: video.path, reason: "unchanged" });
  }

  /** Processes several videos concurrently; those that another indexer holds are retried after all others. */
  async function settleAll(
    videos: readonly FoundVideo[],
    settle: (video: FoundVideo) => Promise<"settled" | "busy">,
  ): Promise<void> {
    const busy: FoundVideo[] = [];
    const queue = videos.values();
    const work = async (): Promise<void> => {
      for (const video of queue) {
        if ((await settle(video)) === "settled") continue;
        busy.push(video);
        onEvent({ kind: "waiting", file: video.path });
      }
    };
    const jobs = Math.max(1, o.jobs ?? defaultJobs());
    const results = await Promise.allSettled(Array.from({ length: jobs }, () => work().catch(endAll)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    for (const video of busy) {
      while ((await settle(video)) === "busy") await sleep(busyPollMs, undefined, { signal });
    }
  }

  function endAll(error: unknown): never {
    ending.abort(error);
    throw error;
  }
}

/** The number of videos that are processed concurrently by default. */
export function defaultJobs(): number {
  return Math.max(2, Math.floor(availableParallelism() / 4));
}

function emptySummary(): IndexSummary {
  const counts = { files: 0, indexed: 0, moved: 0, updated: 0, skipped: 0, failed: 0, frames: 0 };
  return { ...counts, problems: [], isStopped: false };
}

function count(summary: IndexSummary, event: IndexEvent): void {
  if (event.kind === "discovered") summary.files += event.files;
  if (event.kind === "indexed") {
    summary.indexed += 1;
    summary.frames += event.frames;
  }
  if (event.kind === "moved" || event.kind === "updated" || event.kind === "skipped")
    summary[event.kind] += 1;
  if (event.kind === "failed") {
    summary.failed += 1;
    summary.problems.push({ file: event.file, problem: event.problem });
  }
}
