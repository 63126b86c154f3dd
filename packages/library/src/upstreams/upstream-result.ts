import { createHash } from "node:crypto";
import { type Anime, type Match, type MatchSource, matchLimit, type SearchOutcome } from "@koma/contract";

/** The scenes that another service found, best first, in the form of the contract. */
export type UpstreamResult = { outcome: SearchOutcome; matches: Match[] };

/** The response of another service is not what its API describes. */
export class UpstreamResponseError extends Error {
  override readonly name = "UpstreamResponseError";
}

/** The times and the anime of a match of another service, before they are checked. */
type UpstreamScene = Pick<Match, "timestamp" | "from" | "to" | "duration" | "similarity" | "isConfident"> & {
  anime: Pick<Anime, "anilistId" | "malId" | "title" | "format" | "year" | "isAdult" | "studios">;
  episode: Match["episode"];
  label?: Match["label"];
};

/**
 * The matches of another service: its texts are cleaned, its times are in order, and it adds no addresses. Scenes
 * without a title are omitted; at most `matchLimit` remain, each scene once.
 */
export function toUpstreamMatches(scenes: readonly UpstreamScene[], source: MatchSource): Match[] {
  const matches: Match[] = [];
  for (const scene of scenes) {
    const anime = toAnime(scene.anime, source);
    if (anime === undefined) continue;
    const match = toMatch(scene, anime, source);
    if (matches.some((other) => isSameScene(other, match))) continue;
    matches.push({ ...match, rank: matches.length + 1 });
    if (matches.length === matchLimit) break;
  }
  return matches;
}

/** One line of text without control characters and characters that change the direction; null if nothing remains. */
function cleanText(text: string | null | undefined, limit = 200): string | null {
  if (text == null) return null;
  const line = text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
  const cut = Array.from(line).slice(0, limit).join("").trim();
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(cut) ? cut : null;
}

function toMatch(scene: UpstreamScene, anime: Anime, source: MatchSource): Match {
  const { timestamp, similarity, isConfident } = scene;
  const to = Math.max(scene.to, timestamp);
  return {
    rank: 1,
    anime,
    episode: cleanEpisode(scene.episode),
    timestamp: toMilliseconds(timestamp),
    from: toMilliseconds(Math.min(scene.from, timestamp)),
    to: toMilliseconds(to),
    looksSameFrom: null,
    looksSameTo: null,
    label: scene.label ?? null,
    duration: toMilliseconds(Math.max(scene.duration, to)),
    similarity,
    isConfident,
    isMirrored: false,
    // The service searched a reduced image, without its borders or with them.
    region: null,
    recurring: null,
    otherOccurrences: [],
    imageUrl: null,
    videoUrl: null,
    previewPaths: null,
    source,
  };
}

function toAnime(anime: UpstreamScene["anime"], source: MatchSource): Anime | undefined {
  const title = {
    romaji: cleanText(anime.title.romaji),
    english: cleanText(anime.title.english),
    native: cleanText(anime.title.native),
  };
  if (title.romaji === null && title.english === null && title.native === null) return undefined;
  const { anilistId, malId, format, year, isAdult, studios = [] } = anime;
  return {
    id: nameAnime(anilistId, title, source),
    anilistId,
    malId,
    title,
    format: cleanText(format, 20),
    year,
    isAdult,
    coverUrl: null,
    coverPath: null,
    studios: studios.slice(0, 8).flatMap((studio) => cleanText(studio, 100) ?? []),
    links: [],
  };
}

/** An id that no anime of this library has. */
function nameAnime(anilistId: number | null, title: Anime["title"], { url }: MatchSource): string {
  if (anilistId !== null) return `anilist-${anilistId}`;
  const hash = createHash("sha256")
    .update(JSON.stringify([url, title]))
    .digest("base64url");
  return `upstream-${hash.slice(0, 22)}`;
}

function cleanEpisode(episode: Match["episode"]): Match["episode"] {
  if (episode === null) return null;
  const { season, number } = episode;
  const written = typeof number === "string" ? cleanText(number, 20) : number;
  const title = cleanText(episode.title);
  return season === null && written === null && title === null ? null : { season, number: written, title };
}

/** Two files of one episode can begin a few seconds apart. */
const sameSceneSeconds = 5;

function isSameScene(one: Match, other: Match): boolean {
  return (
    one.anime.id === other.anime.id &&
    one.episode?.season === other.episode?.season &&
    one.episode?.number === other.episode?.number &&
    Math.abs(one.timestamp - other.timestamp) < sameSceneSeconds
  );
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
