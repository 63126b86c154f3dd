import type { Database } from "@koma/database";
import { descriptorVersion } from "@koma/engine";
import type { DescribeOptions } from "../indexing/describe-episodes.ts";
import type { QueueSummary } from "./queue-paths.ts";

/** New videos have 0 and come first. */
const priority = -1;
const videosPerStatement = 500;

/**
 * Queues the videos of the episodes, of all or of one anime, whose descriptors are of an earlier version or model,
 * for workers to describe them again. Videos that are in the queue already are skipped, and so are episodes of packs.
 */
export async function queueOutdated(
  { database, modelId }: { database: Database; modelId: string },
  { animeId, signal }: Pick<DescribeOptions, "animeId" | "signal">,
): Promise<QueueSummary> {
  const { episodes, indexQueue } = database;
  const outdated = new Set(await episodes.listOutdated({ modelId, version: descriptorVersion }, animeId));
  const listed = (await episodes.list(animeId === undefined ? {} : { animeId })).filter(
    ({ id, packName }) => packName === null && outdated.has(id),
  );
  // Their options, such as a title, must not be replaced.
  const present = new Set((await indexQueue.list({ limit: 1_000_000 })).map(({ path }) => path));
  const videos = listed.filter(({ path }) => !present.has(path));
  let queued = 0;
  for (let from = 0; from < videos.length; from += videosPerStatement) {
    signal?.throwIfAborted();
    const slice = videos.slice(from, from + videosPerStatement);
    queued += await indexQueue.enqueue(slice, { options: { describe: true }, priority });
  }
  return { files: listed.length, queued, skipped: listed.length - queued, dead: 0, problems: [] };
}
