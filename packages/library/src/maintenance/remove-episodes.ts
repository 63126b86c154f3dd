import type { Database, EpisodeWithAnime, StillSetStore } from "@koma/database";
import { listAtPaths } from "./list-at-paths.ts";

/** The episodes to remove: by ids of episodes or anime, by files or folders, or the sample videos. */
export type RemovedEpisodes = { ids: readonly string[] } | { paths: readonly string[] } | { sample: true };

/** Removes episodes with their stills and returns them; their video files stay. */
export async function removeEpisodes(
  { database, stills }: { database: Database; stills: StillSetStore },
  what: RemovedEpisodes,
): Promise<EpisodeWithAnime[]> {
  const removed = await listMeant(database, what);
  for (let from = 0; from < removed.length; from += episodesPerTransaction) {
    const ids = removed.slice(from, from + episodesPerTransaction).map((episode) => episode.id);
    await database.episodes.remove(ids);
    await stills.remove(ids);
  }
  return removed;
}

/** The descriptors of an episode have many rows, and a transaction has a time limit. */
const episodesPerTransaction = 10;

async function listMeant(database: Database, what: RemovedEpisodes): Promise<EpisodeWithAnime[]> {
  if ("sample" in what) return await database.episodes.list({ isSample: true });
  if ("ids" in what) return await database.episodes.list({ ids: what.ids });
  return await listAtPaths(database, what.paths);
}
