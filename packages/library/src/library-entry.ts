import type { Anime, Database, Episode } from "@koma/database";

/** An anime of the library with its episodes in order of season and number. */
export type LibraryEntry = { anime: Anime; episodes: Episode[] };

/** Returns all anime with their episodes, by title; `isSample` selects the sample videos or all others. */
export async function listEntries(
  database: Database,
  where: { isSample?: boolean } = {},
): Promise<LibraryEntry[]> {
  const entries = new Map<string, LibraryEntry>();
  for (const { anime, ...episode } of await database.episodes.list(where)) {
    const entry = entries.get(anime.id) ?? { anime, episodes: [] };
    entry.episodes.push(episode);
    entries.set(anime.id, entry);
  }
  return [...entries.values()];
}

/**
 * Returns the anime with this id and all its episodes; for the id of an episode, its anime with that episode
 * alone.
 */
export async function findEntry(database: Database, id: string): Promise<LibraryEntry | undefined> {
  const rows = await database.episodes.list({ ids: [id] });
  const [first] = rows;
  if (first === undefined) return undefined;
  return { anime: first.anime, episodes: rows.map(({ anime: _anime, ...episode }) => episode) };
}
