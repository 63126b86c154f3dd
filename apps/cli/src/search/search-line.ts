import { type ErrorCode, type Match, problems } from "@koma/contract";
import type { LibraryMatch, SearchOutcome } from "@koma/library";
import type { Picture } from "./open-picture.ts";

/** A match of the REST API plus the base name of the film; previews are the API's alone. */
export type FileMatch = Match & { file: string };

/** What `koma search --json` prints for one picture. */
export type SearchLine =
  | { query: string; matches: FileMatch[] }
  | { query: string; error: { code: ErrorCode; detail: string } };

/** The line for what a search of one picture gave. */
export function toSearchLine(
  found: { picture: Picture; outcome: SearchOutcome } | { picture: Picture; error: unknown },
): SearchLine {
  const { query } = found.picture;
  if ("error" in found) return { query, error: describeError(found.error) };
  return { query, matches: found.outcome.matches.map(toFileMatch) };
}

function toFileMatch(match: LibraryMatch): FileMatch {
  const { anime, episode } = match;
  const { id, anilistId, malId, format, year, isAdult, coverUrl } = anime;
  const { season, number, title } = episode;
  return {
    rank: match.rank,
    anime: {
      ...{ id, anilistId, malId },
      title: { romaji: anime.titleRomaji, english: anime.titleEnglish, native: anime.titleNative },
      ...{ format, year, isAdult, coverUrl },
    },
    episode:
      season === null && number === null && title === null
        ? null
        : { season, number: number !== null && /^\d{1,9}$/.test(number) ? Number(number) : number, title },
    timestamp: match.timestamp,
    from: match.from,
    to: match.to,
    duration: match.durationSeconds,
    similarity: match.similarity,
    isConfident: match.isConfident,
    isMirrored: match.isMirrored,
    region: match.region,
    recurring: match.recurring,
    imageUrl: null,
    videoUrl: null,
    file: match.fileName,
  };
}

function describeError(error: unknown): { code: ErrorCode; detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return { code: isErrorCode(code) ? code : "internal_error", detail };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(problems, code);
}
