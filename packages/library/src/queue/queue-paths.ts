import type { Database } from "@koma/database";
import { discoverVideos, type VideoFailure } from "../indexing/discover-videos.ts";
import type { IndexOptions } from "../indexing/index-event.ts";
import { selectChanged } from "../indexing/select-changed.ts";

/** Names from the user, and where the videos go in the queue. */
export type QueueOptions = Pick<
  IndexOptions,
  "title" | "season" | "episode" | "anilistId" | "force" | "fast" | "postpone"
> & {
  /** Higher numbers are indexed first; default 0. */
  priority?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** The numbers of videos by outcome of queueing. */
export type QueueSummary = {
  files: number;
  queued: number;
  /** Videos that are indexed and unchanged. */
  skipped: number;
  /** Unchanged videos that failed before and stay on the list of dead videos. */
  dead: number;
  problems: VideoFailure[];
};

/** Queues the new and changed videos at these paths for workers; reads no video. */
export async function queuePaths(
  { database, modelId }: { database: Database; modelId: string },
  paths: readonly string[],
  o: QueueOptions,
): Promise<QueueSummary> {
  const { priority = 0, postpone, signal, title, season, episode, anilistId, force = false, fast } = o;
  const { videos, problems } = await discoverVideos(paths, { postpone, signal });
  const names = { title, season, episode, anilistId };
  const isNamed = Object.values(names).some((value) => value !== undefined);
  const stale = new Set(await database.episodes.listStale(modelId));
  let skipped = 0;
  const onUnchanged = (): void => {
    skipped += 1;
  };
  const changed = force || isNamed ? videos : await selectChanged(database, videos, { stale, onUnchanged });
  const options = JSON.parse(JSON.stringify({ ...names, force, fast }));
  let queued = 0;
  for (let from = 0; from < changed.length; from += videosPerStatement) {
    signal?.throwIfAborted();
    const slice = changed.slice(from, from + videosPerStatement);
    queued += await database.indexQueue.enqueue(slice, { options, priority, revive: force });
  }
  return { files: videos.length, queued, skipped, dead: changed.length - queued, problems };
}

const videosPerStatement = 500;
