import type { EpisodeNaming } from "@koma/database";
import { descriptorVersion, readDescriptorVersion } from "@koma/engine";
import type { IndexingParts } from "./describe-video.ts";
import type { IndexEvent, IndexOptions, IndexSummary } from "./index-event.ts";
import { countEvent, emptySummary } from "./index-summary.ts";
import { isThere, type PathMapping, samePaths } from "./path-mapping.ts";
import { settleAll } from "./settle-all.ts";
import { createVideoSettler } from "./settle-video.ts";
import { createVideoNaming, type VideoNaming } from "./video-naming.ts";

export type DescribeOptions = Pick<IndexOptions, "jobs" | "onEvent" | "signal"> & {
  /** Only the episodes of this anime. */
  animeId?: string | undefined;
};

/** Numbers of the episodes whose data were of an earlier version; `missing` ones have no video. */
export type DescribeSummary = IndexSummary & { missing: number };

/**
 * Describes the episodes again whose descriptors are of an earlier version or model. Each keeps its name, is
 * searchable meanwhile, and keeps its old data when its video is missing or unreadable. A run may be interrupted
 * at any point and repeated. Throws only when the library itself fails.
 */
export async function describeEpisodes(parts: IndexingParts, o: DescribeOptions): Promise<DescribeSummary> {
  const { database, modelId } = parts;
  const { episodes } = database;
  const { animeId } = o;
  const current = { modelId, version: descriptorVersion };
  const summary = { ...emptySummary(), missing: 0 };
  const onEvent = (event: IndexEvent): void => {
    if (event.kind === "skipped" && event.reason === "missing") summary.missing += 1;
    else countEvent(summary, event);
    o.onEvent?.(event);
  };
  try {
    const outdated = new Set(await episodes.listOutdated(current, animeId));
    const rows = await episodes.list(animeId === undefined ? {} : { animeId });
    const listed = rows.filter(({ id }) => outdated.has(id));
    const bytes = listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    onEvent({ kind: "discovered", files: listed.length, bytes });
    await database.collectGarbage();
    const settle = createDescribeSettler(parts, outdated);
    await settleAll(listed, { settle, jobs: o.jobs, onEvent, signal: o.signal });
  } catch (error) {
    if (o.signal?.aborted !== true) throw error;
    summary.isStopped = true;
  }
  return summary;
}

/**
 * Returns a function that describes a video again, unless it is missing, its episode is gone, or the episode is
 * described by now. It removes the latter from `outdated`, the ids of the episodes to describe.
 */
export function createDescribeSettler(
  parts: IndexingParts & { mapping?: PathMapping | undefined },
  outdated: Set<string>,
): ReturnType<typeof createVideoSettler> {
  const { database, modelId, findDescription, mapping = samePaths } = parts;
  const { episodes } = database;
  const settle = createVideoSettler({
    ...parts,
    // A pack of an earlier version does not help.
    findDescription: async (contentHash) => {
      const found = await findDescription?.(contentHash);
      return found !== undefined && readDescriptorVersion(found) >= descriptorVersion ? found : undefined;
    },
    naming: nameAsStored(parts),
    stale: outdated,
    isSample: undefined,
    force: false,
    fast: false,
  });
  return async (video, o) => {
    const { path } = video;
    const row = await episodes.findByPath(path);
    if (row === undefined || !(await isThere(path, mapping))) {
      o.onEvent({ kind: "skipped", file: path, reason: "missing" });
      return "settled";
    }
    // Another run may have described it since.
    if (!(await episodes.isOutdated(row.id, { modelId, version: descriptorVersion })))
      outdated.delete(row.id);
    return await settle(video, o);
  };
}

/** Returns the number of episodes that `describeEpisodes` can describe again here: their videos are at hand. */
export async function countDescribable({ database, modelId }: IndexingParts): Promise<number> {
  const outdated = new Set(await database.episodes.listOutdated({ modelId, version: descriptorVersion }));
  if (outdated.size === 0) return 0;
  let count = 0;
  for (const { id, path } of await database.episodes.list()) {
    if (outdated.has(id) && (await isThere(path, samePaths))) count += 1;
  }
  return count;
}

/** Names a video as its episode is named, whatever its file is called. */
function nameAsStored({ database }: IndexingParts): VideoNaming {
  const fromPaths = createVideoNaming(database, {});
  return {
    isExplicit: false,
    async resolve(path): Promise<EpisodeNaming> {
      const row = await database.episodes.findByPath(path);
      if (row === undefined) return await fromPaths.resolve(path);
      const { animeId, season, number, title } = row;
      return { animeId, season, number, title };
    },
  };
}
