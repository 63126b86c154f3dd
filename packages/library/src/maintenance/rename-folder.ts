import type { Database, EpisodeWithAnime } from "@koma/database";
import { createVideoNaming } from "../indexing/video-naming.ts";
import { listAtPaths } from "./list-at-paths.ts";

/** What all videos of a folder are named; omitted parts stay. */
export type FolderNaming = {
  title?: string | undefined;
  season?: number | undefined;
  /** The number of the first video; the others follow in the natural order of their names. */
  firstEpisode?: number | undefined;
};

/**
 * Names the indexed videos of a folder, or one video, and returns them as they were. Later runs keep the names, also beside
 * NFO files; videos that are added later get theirs from their files.
 */
export async function renameFolder(
  database: Database,
  folder: string,
  { title, season, firstEpisode }: FolderNaming,
): Promise<EpisodeWithAnime[]> {
  // Without a name, the videos keep following their files.
  if (title === undefined && season === undefined && firstEpisode === undefined) return [];
  const episodes = (await listAtPaths(database, [folder])).sort(byPath);
  const renamed: Parameters<Database["episodes"]["rename"]>[0][number][] = [];
  for (const [index, episode] of episodes.entries()) {
    renamed.push({
      id: episode.id,
      naming: {
        ...(season !== undefined && { season }),
        ...(title !== undefined && (await nameAnime(episode, title))),
        ...(firstEpisode !== undefined && { number: String(firstEpisode + index) }),
      },
    });
  }
  await database.episodes.rename(renamed);
  return episodes;

  /** The anime with this title. A season that is a work of its own has no season. */
  async function nameAnime(episode: EpisodeWithAnime, name: string) {
    const { isSample } = episode;
    const fixed = season ?? episode.season;
    const naming = createVideoNaming(database, { title: name, season: fixed ?? undefined, isSample });
    const { animeId, season: own } = await naming.resolve(episode.path);
    return { animeId, ...(fixed !== null && { season: own }) };
  }
}

const collator = new Intl.Collator("en", { numeric: true });

function byPath(left: EpisodeWithAnime, right: EpisodeWithAnime): number {
  return collator.compare(left.path, right.path);
}
