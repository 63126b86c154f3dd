import type { Match } from "@koma/contract";
import type { Result } from "./saved-results.ts";

/**
 * The candidates that a reply lists: all of them after "show the closest ones", before that only the
 * confident ones at the front. The others are look-alikes below the threshold of "not in this library".
 */
export function listCandidates({ isOpened, content: { matches } }: Result): readonly Match[] {
  if (isOpened) return matches;
  const firstDoubtful = matches.findIndex(({ isConfident }) => !isConfident);
  return firstDoubtful < 0 ? matches : matches.slice(0, firstDoubtful);
}

/** Whether the requester marked every listed candidate as wrong. */
export function areAllRejected(result: Result): boolean {
  const candidates = listCandidates(result);
  return candidates.length > 0 && candidates.every((match) => isRejected(result, match));
}

/** Whether the requester marked this candidate as wrong. */
export function isRejected(
  { confirmedRank, content: { rejectedRanks } }: Result,
  { rank }: Pick<Match, "rank">,
): boolean {
  return confirmedRank === 0 || rejectedRanks.includes(rank);
}
