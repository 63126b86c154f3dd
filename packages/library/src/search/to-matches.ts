import type { Database, EpisodeWithAnime } from "@koma/database";
import type { Scene, ScenePlace } from "@koma/engine";
import type { LibraryMatch } from "./library-match.ts";

type Place = { row: EpisodeWithAnime; place: ScenePlace };

/**
 * Scenes as matches, with one look-up for all; scenes of episodes that were removed just now are left out. A scene that stands in several
 * episodes is given for the earliest.
 */
export async function toMatches(database: Database, scenes: readonly Scene[]): Promise<LibraryMatch[]> {
  const keys = new Set(scenes.flatMap((scene) => placesOf(scene).map(({ episodeKey }) => episodeKey)));
  const rows = await database.episodes.findMany([...keys]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const matches: LibraryMatch[] = [];
  for (const scene of scenes) {
    const found = placesOf(scene).flatMap((place) => {
      const row = byId.get(place.episodeKey);
      return row === undefined ? [] : [{ row, place }];
    });
    const [earliest] = found.sort(compareEpisodes);
    if (earliest === undefined) continue;
    const { row, place } = earliest;
    const { similarity, isConfident, isMirrored, region, grounds } = scene;
    const episodes = new Set(found.map(nameEpisode)).size;
    matches.push({
      rank: matches.length + 1,
      anime: row.anime,
      episode: { id: row.id, season: row.season, number: row.number, title: row.title },
      fileName: row.fileName,
      durationSeconds: row.durationSeconds ?? place.toSeconds,
      ...toTimes(place),
      ...{ similarity, isConfident, isMirrored, region, grounds },
      recurring: episodes > 1 ? { episodes } : null,
    });
  }
  return matches;
}

function placesOf(scene: Scene): ScenePlace[] {
  return [scene, ...(scene.recurring ?? [])];
}

const collator = new Intl.Collator("en", { numeric: true });

/** By the anime's year, then season and number (2 before 10). */
function compareEpisodes({ row: a }: Place, { row: b }: Place): number {
  const [yearA, yearB] = [a.anime.year ?? 9999, b.anime.year ?? 9999];
  return (
    yearA - yearB ||
    (a.season ?? 1) - (b.season ?? 1) ||
    collator.compare(a.number ?? "", b.number ?? "") ||
    collator.compare(a.fileName, b.fileName)
  );
}

/** Two files of one episode are one. */
function nameEpisode({ row }: Place): string {
  return row.number === null ? row.id : `${row.animeId} ${row.season ?? 1} ${row.number}`;
}

function toTimes(scene: ScenePlace): { timestamp: number; from: number; to: number } {
  const timestamp = toMilliseconds(scene.atSeconds);
  const from = Math.min(toMilliseconds(scene.fromSeconds), timestamp);
  const to = Math.max(toMilliseconds(scene.toSeconds), timestamp);
  return { timestamp, from, to };
}

/** Seconds with three decimals. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
