import { hasSqlState } from "../connection/database-errors.ts";
import type { Query } from "../connection/query.ts";
import { repeatConflicting } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { PrismaClient } from "../generated/client.ts";
import type { JsonValue } from "../json-value.ts";
import { createConfidenceTotals } from "./confidence-totals.ts";
import { createConfirmations } from "./confirmations.ts";
import { createRecentSearches } from "./recent-searches.ts";
import { toDay } from "./search-counts.ts";
import { createSearchHistory } from "./search-history.ts";
import {
  findDefaultAnimeId,
  isMaker,
  isOpen,
  type MakerProof,
  type Search,
  type SearchOutcome,
  toSearch,
} from "./search-row.ts";
import { createSearchTimes } from "./search-times.ts";
import { type CallerKind, createSearchTotals } from "./search-totals.ts";
import { collectSearchGarbage, type SearchAging } from "./searches-aging.ts";

/**
 * A completed search before its response. `userId` pays a purchased credit; it and `callerKind` are not stored
 * with the search.
 */
export type SettledSearch = {
  search: Omit<Search, "outcome" | "confirmedRank" | "confirmedAt" | "createdAt"> & {
    outcome: SearchOutcome;
    callerHash: string;
    callerKind: CallerKind;
    confirmTokenHash: string;
  };
  reservation: { id: string; owner: string; userId?: string | undefined };
  idempotency?: { key: string; owner: string; response: JsonValue } | undefined;
  /** The time of the search; rankings and totals count it for this UTC day. */
  at: Date;
};

/** The completed searches, and the transaction that settles their cost. */
export function createSearches(prisma: PrismaClient, query: Query) {
  return {
    ...createConfirmations(prisma),
    ...createSearchHistory(prisma),
    ...createRecentSearches(prisma),
    ...createSearchTotals(prisma),
    ...createConfidenceTotals(prisma),
    ...createSearchTimes(prisma),

    /**
     * In one transaction: settles the reservation, spends a purchased credit, stores and counts the search,
     * and stores the idempotent response. False when the lease of the reservation or of the idempotency key
     * has expired or belongs to another owner; then nothing is written. A second call with the same search
     * returns true and changes nothing.
     */
    async settle(outcome: SettledSearch): Promise<boolean> {
      try {
        await repeatConflicting(() => settle(query, outcome));
        return true;
      } catch (error) {
        if (hasSqlState(error, leaseExpired)) return false;
        throw error;
      }
    },

    /**
     * A search that the caller may read: its maker for 24 hours or in the history, all callers when it is
     * confirmed and public.
     */
    async find(options: {
      id: string;
      by: MakerProof;
      at: Date;
    }): Promise<(Search & { isOwn: boolean }) | undefined> {
      const row = await prisma.search.findUnique({ where: { id: options.id } });
      if (row === null) return undefined;
      const isOwnHistory = row.inHistory && row.callerHash === options.by.callerHash;
      const isOwn = isMaker(row, options.by);
      // A confirmed match of another service is not listed.
      const isShared = row.listedAnimeId !== null || (row.isPublic && (row.confirmedRank ?? 0) > 0);
      const isSeen = isShared || isOwnHistory || (isOwn && isOpen(row, options.at));
      return isSeen ? { ...toSearch(row), isOwn } : undefined;
    },

    /**
     * Deletes guests' searches after 24 hours and users' after `historyDays`; confirmed public ones are
     * anonymised instead.
     */
    async collectGarbage(aging: SearchAging): Promise<void> {
      await collectSearchGarbage(prisma, aging);
    },
  };
}

/** The SQLSTATE of the function's exception, which rolls the transaction back. */
const leaseExpired = "KM001";

async function settle(query: Query, outcome: SettledSearch): Promise<void> {
  const { search, reservation, idempotency, at } = outcome;
  const { callerKind, ...columns } = search;
  const row = {
    ...columns,
    countedAnimeId: findDefaultAnimeId(search.matches),
    countedDay: toDay(at),
    createdAt: at,
  };
  const response = idempotency === undefined ? null : JSON.stringify(idempotency.response);
  await query(
    `SELECT "settleSearch"(search => jsonb_populate_record(NULL::"Search", $1::jsonb), "byKind" => $2,
      "reservationId" => $3, "reservationOwner" => $4, "payerId" => $5, "entryId" => $6,
      "responseKey" => $7, "responseOwner" => $8, "response" => $9)`,
    [
      ...[JSON.stringify(row), callerKind, reservation.id, reservation.owner, reservation.userId ?? null],
      ...[createId(), idempotency?.key ?? null, idempotency?.owner ?? null, response],
    ],
  );
}
