import { type ErrorCode, type Match, problems, type SearchResult } from "@koma/contract";
import { presentMatch, type SearchOutcome } from "@koma/library";
import type { Image } from "./open-image.ts";

/** The options of a search by images. */
export type SearchChoices = { limit: number; anime: string | undefined; json: boolean; signal: AbortSignal };

/** A match of the REST API. In the own library it has the name of the video file, and no previews. */
export type FileMatch = Match & { file?: string };

/** What `koma search --json` prints for one image. */
export type SearchLine =
  | {
      query: string;
      queryFrame?: SearchResult["queryFrame"];
      outcome: SearchResult["outcome"];
      matches: FileMatch[];
    }
  | { query: string; error: { code: ErrorCode; detail: string } };

/** The line for the result of one image. */
export function toSearchLine(
  found: { image: Image; outcome: SearchOutcome } | { image: Image; error: unknown },
): SearchLine {
  const { query } = found.image;
  if ("error" in found) return { query, error: describeSearchError(found.error) };
  const { outcome, matches, frameAtSeconds } = found.outcome;
  const queryFrame = frameAtSeconds === undefined ? undefined : { timestamp: frameAtSeconds };
  return {
    query,
    queryFrame,
    outcome,
    matches: matches.map((match) => ({ ...presentMatch(match), file: match.fileName })),
  };
}

/** The code of the REST API and the message of what an image search threw. */
export function describeSearchError(error: unknown): { code: ErrorCode; detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return { code: isErrorCode(code) ? code : "internal_error", detail };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(problems, code);
}
