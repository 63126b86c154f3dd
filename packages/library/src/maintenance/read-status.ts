import type { Database } from "@koma/database";

/** Counts what a library contains, what is of an earlier version than `current`, and the queue with its workers. */
export async function readStatus(database: Database, current: { modelId: string; version: number }) {
  const [{ library: contents }, outdated, queue, workers] = await Promise.all([
    database.statistics.count(new Date()),
    database.episodes.countOutdated(current),
    database.indexQueue.count(),
    database.indexQueue.listWorkers(),
  ]);
  return { library: { ...contents, outdated }, queue, workers };
}
