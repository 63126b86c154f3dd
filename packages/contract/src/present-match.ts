import type { Anime, Episode } from "./anime.ts";
import type { Match, Region } from "./match.ts";

/** An anime as it is stored. */
export type StoredAnime = {
  id: string;
  anilistId: number | null;
  malId: number | null;
  titleRomaji: string | null;
  titleEnglish: string | null;
  titleNative: string | null;
  format: string | null;
  year: number | null;
  isAdult: boolean;
  coverUrl: string | null;
};

/** A scene as the library finds it. */
export type FoundScene = {
  rank: number;
  anime: StoredAnime;
  episode: { season: number | null; number: string | null; title: string | null };
  durationSeconds: number;
  timestamp: number;
  from: number;
  to: number;
  similarity: number;
  isConfident: boolean;
  isMirrored: boolean;
  region: Region | null;
  recurring: { episodes: number } | null;
};

/** The contract's form of a stored anime. */
export function presentAnime(stored: StoredAnime): Anime {
  return {
    id: stored.id,
    anilistId: stored.anilistId,
    malId: stored.malId,
    title: { romaji: stored.titleRomaji, english: stored.titleEnglish, native: stored.titleNative },
    format: stored.format,
    year: stored.year,
    isAdult: stored.isAdult,
    coverUrl: stored.coverUrl,
  };
}

/** The contract's form of a found scene; without previews their addresses are null. */
export function presentMatch(
  found: FoundScene,
  previews: { imageUrl: string | null; videoUrl: string | null } = { imageUrl: null, videoUrl: null },
): Match {
  return {
    rank: found.rank,
    anime: presentAnime(found.anime),
    episode: presentEpisode(found.episode),
    timestamp: found.timestamp,
    from: found.from,
    to: found.to,
    duration: found.durationSeconds,
    similarity: found.similarity,
    isConfident: found.isConfident,
    isMirrored: found.isMirrored,
    region: found.region,
    recurring: found.recurring,
    ...previews,
  };
}

/** The contract's form of a stored episode; null where nothing is known of it. */
export function presentEpisode({ season, number, title }: FoundScene["episode"]): Episode | null {
  const isUnknown = season === null && number === null && title === null;
  return isUnknown ? null : { season, number: presentNumber(number), title };
}

function presentNumber(number: string | null): string | number | null {
  return number !== null && /^\d{1,9}$/.test(number) ? Number(number) : number;
}
