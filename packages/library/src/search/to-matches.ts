import type { Database, EpisodeWithAnime } from "@koma/database";
import type { Scene, SceneLocation } from "@koma/engine";
import type { LibraryMatch, Occurrence } from "./library-match.ts";

const MOST_OCCURRENCES = 20;
/** Two files of one episode, such as two releases, may begin a few seconds apart. */
const RELEASE_OFFSET_SECONDS = 5;

type MatchLocation = { row: EpisodeWithAnime; location: SceneLocation };

/**
 * Converts scenes to matches with one look-up for all. Scenes of deleted episodes are omitted. A scene of
 * several episodes is returned for the earliest, and one in several files of an episode once.
 */
export async function toMatches(database: Database, scenes: readonly Scene[]): Promise<LibraryMatch[]> {
  const locations = scenes.flatMap((scene) => [...locationsOf(scene), ...scene.otherOccurrences]);
  const keys = new Set(locations.map(({ episodeKey }) => episodeKey));
  const rows = await database.episodes.findMany([...keys]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const matches: LibraryMatch[] = [];
  const returned: MatchLocation[] = [];
  for (const scene of scenes) {
    const found = locationsOf(scene).flatMap((location) => {
      const row = byId.get(location.episodeKey);
      return row === undefined ? [] : [{ row, location }];
    });
    const [earliest] = found.sort(compareEpisodes);
    if (earliest === undefined || returned.some((other) => isSameMoment(other, earliest))) continue;
    returned.push(earliest);
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
      label: findLabel(row, location),
      similarity,
      isConfident,
      isMirrored,
      region,
      score,
      features,
      recurring: episodes > 1 ? { episodes } : null,
      otherOccurrences: occurrencesOf(scene, earliest, byId),
    });
  }
  return matches;
}

/** Returns the other occurrences of a scene, each once. */
function occurrencesOf(
  scene: Scene,
  shown: MatchLocation,
  byId: ReadonlyMap<string, EpisodeWithAnime>,
): Occurrence[] {
  const locations = [shown];
  for (const location of [scene, ...scene.otherOccurrences]) {
    const row = byId.get(location.episodeKey);
    if (row === undefined) continue;
    const found = { row, location };
    if (!locations.some((other) => isSameMoment(other, found))) locations.push(found);
  }
  return locations.slice(1, MOST_OCCURRENCES + 1).map(({ row, location }) => {
    const { from, to } = toTimes(location);
    return { episode: episodeOf(row), from, to };
  });
}

/** Whether two locations are one shot of a file, or the same moment in two files of one episode. */
function isSameMoment(a: MatchLocation, b: MatchLocation): boolean {
  const [one, other] = [a.location, b.location];
  if (a.row.id === b.row.id) return one.fromSeconds === other.fromSeconds;
  return (
    nameEpisode(a) === nameEpisode(b) &&
    Math.abs(one.fromSeconds - other.fromSeconds) <= RELEASE_OFFSET_SECONDS
  );
}

function episodeOf({ id, season, number, title, packName }: EpisodeWithAnime): LibraryMatch["episode"] {
  return { id, season, number, title, ...(packName !== null && { hasVideo: false }) };
}

/** The shortest labelled part that contains the location. */
function findLabel({ labels }: EpisodeWithAnime, { atSeconds }: SceneLocation): LibraryMatch["label"] {
  const containing = labels.filter(({ from, to }) => from <= atSeconds && atSeconds <= to);
  containing.sort((a, b) => a.to - a.from - (b.to - b.from));
  return containing[0]?.label ?? null;
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
    // A video shows its exact still and its clip, an episode of a pack does not.
    Number(a.packName !== null) - Number(b.packName !== null) ||
    collator.compare(a.fileName, b.fileName)
  );
}

/** Two files of one episode have one name. */
function nameEpisode({ row }: MatchLocation): string {
  return row.number === null ? row.id : `${row.animeId} ${row.season ?? 1} ${row.number}`;
}

type Times = Pick<LibraryMatch, "timestamp" | "from" | "to" | "looksSameFrom" | "looksSameTo">;

function toTimes({ atSeconds, fromSeconds, toSeconds, looksSameFrom, looksSameTo }: SceneLocation): Times {
  const timestamp = toMilliseconds(atSeconds);
  const from = Math.min(toMilliseconds(fromSeconds), timestamp);
  const to = Math.max(toMilliseconds(toSeconds), timestamp);
  const clamp = (seconds: number | null, least: number, most: number) =>
    seconds === null ? null : Math.min(Math.max(toMilliseconds(seconds), least), most);
  return {
    timestamp,
    from,
    to,
    looksSameFrom: clamp(looksSameFrom, from, timestamp),
    looksSameTo: clamp(looksSameTo, timestamp, to),
  };
}

/** Rounds seconds to three decimals. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
