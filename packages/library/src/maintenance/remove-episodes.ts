import { resolve, sep } from "node:path";
import type { Database, EpisodeWithAnime } from "@koma/database";

/** The episodes to remove: by ids of episodes or anime, by files or folders, or the sample videos. */
export type RemovedEpisodes = { ids: readonly string[] } | { paths: readonly string[] } | { sample: true };

/** Removes episodes and returns them; their video files stay. */
export async function removeEpisodes(database: Database, what: RemovedEpisodes): Promise<EpisodeWithAnime[]> {
  const all = await database.episodes.list("sample" in what ? { isSample: true } : {});
  const removed = all.filter(isMeant(what));
  await database.episodes.remove(removed.map((episode) => episode.id));
  return removed;
}

function isMeant(what: RemovedEpisodes): (episode: EpisodeWithAnime) => boolean {
  if ("sample" in what) return () => true;
  if ("ids" in what) {
    const ids = new Set(what.ids);
    return (episode) => ids.has(episode.id) || ids.has(episode.animeId);
  }
  const paths = what.paths.map((path) => resolve(path));
  return ({ path: file }) =>
    paths.some((path) => file === path || file.startsWith(path.endsWith(sep) ? path : path + sep));
}
