import { resolve, sep } from "node:path";
import type { Database, EpisodeWithAnime, StillSetStore } from "@koma/database";

/** The episodes to remove: by ids of episodes or anime, by files or folders, or the sample videos. */
export type RemovedEpisodes = { ids: readonly string[] } | { paths: readonly string[] } | { sample: true };

/** Removes episodes with their stills and returns them; their video files stay. */
export async function removeEpisodes(
  { database, stills }: { database: Database; stills: StillSetStore },
  what: RemovedEpisodes,
): Promise<EpisodeWithAnime[]> {
  const all = await database.episodes.list("sample" in what ? { isSample: true } : {});
  const removed = all.filter(isMeant(what));
  const ids = removed.map((episode) => episode.id);
  await database.episodes.remove(ids);
  await stills.remove(ids);
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
