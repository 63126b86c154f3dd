import type { Search as SearchRow } from "../generated/client.ts";
import type { JsonObject, JsonValue } from "../json-value.ts";

/**
 * A stored match; the database reads only these fields. `upstream` has the match of another service: it counts for its
 * anime only when it is confirmed, and it is not listed.
 */
export type StoredMatch = JsonObject & {
  rank: number;
  animeId: string;
  isConfident: boolean;
  upstream?: JsonObject;
};

/** Certainty of the best match: found, uncertain, or most likely not in the library. */
export type SearchOutcome = "found" | "uncertain" | "not_in_library";

/** One completed search, without its caller. */
export type Search = {
  id: string;
  /** True when it is part of a user's history; a guest's search is deleted after a day. */
  inHistory: boolean;
  isPublic: boolean;
  queryKind: "file" | "url";
  /** The outcome; null for searches of earlier versions. */
  outcome: SearchOutcome | null;
  /**
   * Best first. `animeId` can be the earlier id of a merged anime; `anime.resolve` finds the remaining one.
   */
  matches: StoredMatch[];
  frameCount: number;
  tookMs: number;
  /** The rank that the caller confirmed, 0 for none of the matches; null without a confirmation. */
  confirmedRank: number | null;
  confirmedAt: Date | null;
  createdAt: Date;
};

/**
 * Proof that a caller made a search: the caller's hash, if it identifies one person (never that of an IP
 * address), or the hash of the search's token.
 */
export type MakerProof = { callerHash?: string | undefined; confirmTokenHash?: string | undefined };

/** The time for which a search can be confirmed, and for which a guest's search is stored. */
export const openMs = 24 * 60 * 60 * 1000;

/** Returns true when the proof matches a stored search. */
export function isMaker(row: SearchRow, proof: MakerProof): boolean {
  const { callerHash, confirmTokenHash } = proof;
  return (
    (callerHash !== undefined && row.callerHash === callerHash) ||
    (confirmTokenHash !== undefined && row.confirmTokenHash === confirmTokenHash)
  );
}

/** Returns true while a search can be confirmed. */
export function isOpen(row: SearchRow, at: Date): boolean {
  return row.createdAt.getTime() > at.getTime() - openMs;
}

/** Converts a stored search to its domain form. */
export function toSearch(row: SearchRow): Search {
  const { id, inHistory, isPublic, frameCount, tookMs, confirmedRank, confirmedAt, createdAt } = row;
  return {
    id,
    inHistory,
    isPublic,
    frameCount,
    tookMs,
    confirmedRank,
    confirmedAt,
    createdAt,
    outcome: isOutcome(row.outcome) ? row.outcome : null,
    queryKind: row.queryKind === "url" ? "url" : "file",
    matches: toMatches(row.matches),
  };
}

function isOutcome(stored: string | null): stored is SearchOutcome {
  return stored === "found" || stored === "uncertain" || stored === "not_in_library";
}

/** The matches in stored JSON. */
export function toMatches(stored: JsonValue): StoredMatch[] {
  return Array.isArray(stored) ? stored.filter(isStoredMatch) : [];
}

/** The anime that an unconfirmed search counts for: that of the first match if it is confident and of this library. */
export function findDefaultAnimeId(matches: readonly StoredMatch[]): string | null {
  const [first] = matches;
  return first?.isConfident === true && first.upstream === undefined ? first.animeId : null;
}

function isStoredMatch(value: JsonValue | undefined): value is StoredMatch {
  return (
    typeof value === "object" &&
    value !== null &&
    "rank" in value &&
    typeof value.rank === "number" &&
    "animeId" in value &&
    typeof value.animeId === "string"
  );
}
