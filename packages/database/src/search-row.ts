import type { Search as SearchRow } from "./generated/client.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";

/** A match as it is stored; the database reads these three fields of it. */
export type StoredMatch = JsonObject & { rank: number; animeId: string; isConfident: boolean };

type SearchOutcome = "found" | "uncertain" | "not_in_library";

/** One answered search. Who asked is told to nobody. */
export type Search = {
  id: string;
  /** A user's; a guest's is kept for a day only. */
  inHistory: boolean;
  isPublic: boolean;
  queryKind: "file" | "url";
  /** What the search came to; null for searches of earlier versions. */
  outcome: SearchOutcome | null;
  /** Best first. Where anime were merged since, `animeId` is the earlier one: ask `anime.resolve`. */
  matches: StoredMatch[];
  frameCount: number;
  tookMs: number;
  /** The rank that its maker confirmed, 0 for none of them; null while not confirmed. */
  confirmedRank: number | null;
  confirmedAt: Date | null;
  createdAt: Date;
};

/**
 * What a caller shows to be the maker of a search: their hash, where it stands for one person (never an IP address's), or
 * the hash of the search's token.
 */
export type MakerProof = { callerHash?: string | undefined; confirmTokenHash?: string | undefined };

/** How long a search can be confirmed, and a guest's is kept. */
export const openMs = 24 * 60 * 60 * 1000;

/** Whether a stored search was made by whom the proof shows. */
export function isMaker(row: SearchRow, proof: MakerProof): boolean {
  const { callerHash, confirmTokenHash } = proof;
  return (
    (callerHash !== undefined && row.callerHash === callerHash) ||
    (confirmTokenHash !== undefined && row.confirmTokenHash === confirmTokenHash)
  );
}

/** Whether a search can still be confirmed. */
export function isOpen(row: SearchRow, at: Date): boolean {
  return row.createdAt.getTime() > at.getTime() - openMs;
}

/** The domain form of a stored search. */
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

/** The anime for which a search counts while nothing is confirmed: that of the first match, where it is confident. */
export function findDefaultAnimeId(matches: readonly StoredMatch[]): string | null {
  const [first] = matches;
  return first?.isConfident === true ? first.animeId : null;
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
