import type { IndexingParts } from "./describe-video.ts";
import { discoverVideos, type FoundVideo } from "./discover-videos.ts";
import type { IndexEvent, IndexOptions, IndexSummary } from "./index-event.ts";
import { countEvent, emptySummary } from "./index-summary.ts";
import { selectChanged } from "./select-changed.ts";
import { settleAll } from "./settle-all.ts";
import { createVideoSettler } from "./settle-video.ts";
import { createVideoNaming } from "./video-naming.ts";

/**
 * Synchronises the library with the videos at these paths: unchanged ones are skipped, moved ones recognised,
 * new and changed ones described. A run may be interrupted at any point and repeated. Throws only when the
 * library itself fails.
 */
export async function indexPaths(
  parts: IndexingParts,
  paths: readonly string[],
  o: IndexOptions,
): Promise<IndexSummary> {
  const { database, modelId } = parts;
  const summary = emptySummary();
  const onEvent = (event: IndexEvent): void => {
    countEvent(summary, event);
    o.onEvent?.(event);
  };
  try {
    const { videos, problems, ignored } = await discoverVideos(paths, {
      postpone: o.postpone,
      signal: o.signal,
    });
    const bytes = videos.reduce((sum, video) => sum + video.sizeBytes, 0);
    for (const problem of problems) onEvent({ kind: "failed", ...problem });
    onEvent({ kind: "discovered", files: videos.length, bytes, ignored });
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
    await settleAll(changed, { settle, jobs: o.jobs, onEvent, signal: o.signal });
  } catch (error) {
    if (o.signal?.aborted !== true) throw error;
    summary.isStopped = true;
  }
  return summary;

  function skip(video: FoundVideo): void {
    onEvent({ kind: "skipped", file: video.path, reason: "unchanged" });
  }
}
