import { type ErrorCode, type Match, presentMatch, problems } from "@koma/contract";
import type { SearchOutcome } from "@koma/library";
import type { Image } from "./open-image.ts";

/** A match of the REST API with the name of the video file and without previews. */
export type FileMatch = Match & { file: string };

/** What `koma search --json` prints for one image. */
export type SearchLine =
  | { query: string; matches: FileMatch[] }
  | { query: string; error: { code: ErrorCode; detail: string } };

/** The line for the result of one image. */
export function toSearchLine(
  found: { image: Image; outcome: SearchOutcome } | { image: Image; error: unknown },
): SearchLine {
  const { query } = found.image;
  if ("error" in found) return { query, error: describeError(found.error) };
  const { matches } = found.outcome;
  return { query, matches: matches.map((match) => ({ ...presentMatch(match), file: match.fileName })) };
}

function describeError(error: unknown): { code: ErrorCode; detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return { code: isErrorCode(code) ? code : "internal_error", detail };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(problems, code);
}
