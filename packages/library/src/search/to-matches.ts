import type { Database, EpisodeWithAnime } from "@koma/database";
import type { Scene, SceneLocation } from "@koma/engine";
import type { LibraryMatch, Occurrence } from "./library-match.ts";

const MOST_OCCURRENCES = 20;

type MatchLocation = { row: EpisodeWithAnime; location: SceneLocation };

/**
 * Converts scenes to matches with one look-up for all. Scenes of deleted episodes are omitted. A scene of
 * several episodes is returned for the earliest.
 */
export async function toMatches(database: Database, scenes: readonly Scene[]): Promise<LibraryMatch[]> {
  const locations = scenes.flatMap((scene) => [...locationsOf(scene), ...scene.otherOccurrences]);
  const keys = new Set(locations.map(({ episodeKey }) => episodeKey));
  const rows = await database.episodes.findMany([...keys]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const matches: LibraryMatch[] = [];
  for (const scene of scenes) {
    const found = locationsOf(scene).flatMap((location) => {
      const row = byId.get(location.episodeKey);
      return row === undefined ? [] : [{ row, location }];
    });
    const [earliest] = found.sort(compareEpisodes);
    if (earliest === undefined) continue;
    const { row, location } = earliest;
    const { score, similarity, isConfident, isMirrored, region, features } = scene;
    const episodes = new Set(found.map(nameEpisode)).size;
    matches.push({
      rank: matches.length + 1,
      anime: row.anime,
      episode: episodeOf(row),
      fileName: row.fileName,
      durationSeconds: row.durationSeconds ?? location.toSeconds,
      ...toTimes(location),
      similarity,
      isConfident,
      isMirrored,
      region,
      score,
      features,
      recurring: episodes > 1 ? { episodes } : null,
      otherOccurrences: occurrencesOf(scene, location, byId),
    });
  }
  return matches;
}

/** Returns the other occurrences of a scene. */
function occurrencesOf(
  scene: Scene,
  shown: SceneLocation,
  byId: ReadonlyMap<string, EpisodeWithAnime>,
): Occurrence[] {
  return [scene, ...scene.otherOccurrences]
    .filter(
      ({ episodeKey, fromSeconds }) => episodeKey !== shown.episodeKey || fromSeconds !== shown.fromSeconds,
    )
    .flatMap((location) => {
      const row = byId.get(location.episodeKey);
      if (row === undefined) return [];
      const { from, to } = toTimes(location);
      return [{ episode: episodeOf(row), from, to }];
    })
    .slice(0, MOST_OCCURRENCES);
}

function episodeOf({ id, season, number, title }: EpisodeWithAnime): LibraryMatch["episode"] {
  return { id, season, number, title };
}

function locationsOf(scene: Scene): SceneLocation[] {
  return [scene, ...(scene.recurring ?? [])];
}

const collator = new Intl.Collator("en", { numeric: true });

/** Orders by the year of the anime, then season and number (2 before 10). */
function compareEpisodes({ row: a }: MatchLocation, { row: b }: MatchLocation): number {
  const [yearA, yearB] = [a.anime.year ?? 9999, b.anime.year ?? 9999];
  return (
    yearA - yearB ||
    (a.season ?? 1) - (b.season ?? 1) ||
    collator.compare(a.number ?? "", b.number ?? "") ||
    collator.compare(a.fileName, b.fileName)
  );
}

/** Two files of one episode have one name. */
function nameEpisode({ row }: MatchLocation): string {
  return row.number === null ? row.id : `${row.animeId} ${row.season ?? 1} ${row.number}`;
}

function toTimes(scene: SceneLocation): Pick<LibraryMatch, "timestamp" | "from" | "to"> {
  const timestamp = toMilliseconds(scene.atSeconds);
  const from = Math.min(toMilliseconds(scene.fromSeconds), timestamp);
  const to = Math.max(toMilliseconds(scene.toSeconds), timestamp);
  return { timestamp, from, to };
}

/** Rounds seconds to three decimals. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
