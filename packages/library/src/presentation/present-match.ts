import {
  type Anime,
  type Episode,
  type Match,
  type Occurrence,
  type PreviewPaths,
  toCoverPath,
} from "@koma/contract";

/** An anime in the form of the database. */
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
  coverVersion?: string | null;
  studios?: string[];
  links?: { site: string; url: string }[];
};

type StoredEpisode = { season: number | null; number: string | null; title: string | null };

/** Addresses and paths of the previews of a scene. */
export type ScenePreviews = { imageUrl: string; videoUrl: string | null; previewPaths: PreviewPaths };

/** A match of which anime, episodes and duration are in their stored form. */
export type FoundScene = Omit<
  Match,
  "anime" | "episode" | "duration" | "otherOccurrences" | "source" | keyof ScenePreviews
> & {
  anime: StoredAnime;
  episode: StoredEpisode;
  durationSeconds: number;
  otherOccurrences: readonly (Omit<Occurrence, "episode"> & { episode: StoredEpisode })[];
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
    coverPath: toCoverPath(stored),
    studios: stored.studios ?? [],
    links: stored.links ?? [],
  };
}

/** The contract's form of a found scene; without previews their addresses and paths are null. */
export function presentMatch(found: FoundScene, previews?: ScenePreviews): Match {
  return {
    rank: found.rank,
    anime: presentAnime(found.anime),
    episode: presentEpisode(found.episode),
    timestamp: found.timestamp,
    from: found.from,
    to: found.to,
    looksSameFrom: found.looksSameFrom,
    looksSameTo: found.looksSameTo,
    label: found.label,
    duration: found.durationSeconds,
    similarity: found.similarity,
    isConfident: found.isConfident,
    isMirrored: found.isMirrored,
    region: found.region,
    recurring: found.recurring,
    otherOccurrences: found.otherOccurrences.map(({ episode, from, to }) => ({
      episode: presentEpisode(episode),
      from,
      to,
    })),
    imageUrl: previews?.imageUrl ?? null,
    videoUrl: previews?.videoUrl ?? null,
    previewPaths: previews?.previewPaths ?? null,
    source: null,
  };
}

/** The contract's form of a stored episode; null if all fields are unknown. */
export function presentEpisode({ season, number, title }: StoredEpisode): Episode | null {
  const isUnknown = season === null && number === null && title === null;
  return isUnknown ? null : { season, number: presentEpisodeNumber(number), title };
}

/** The contract's form of the number of an episode: a whole number, or the text in its place. */
export function presentEpisodeNumber(number: string | null): string | number | null {
  return number !== null && /^\d{1,9}$/.test(number) ? Number(number) : number;
}
