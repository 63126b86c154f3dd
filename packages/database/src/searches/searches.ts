import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { settleReservation } from "../credits/quota.ts";
import type { PrismaClient } from "../generated/client.ts";
import type { JsonValue } from "../json-value.ts";
import { createConfirmations } from "./confirmations.ts";
import { saveResponse } from "./idempotency.ts";
import { createRecentSearches } from "./recent-searches.ts";
import { changeCounts, lockAnime, toDay } from "./search-counts.ts";
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
import { type CallerKind, countSearch, createSearchTotals } from "./search-totals.ts";
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
export type SearchStore = ReturnType<typeof createSearches>;

export function createSearches(prisma: PrismaClient) {
  return {
    ...createConfirmations(prisma),
    ...createSearchHistory(prisma),
    ...createRecentSearches(prisma),
    ...createSearchTotals(prisma),

    /**
     * In one transaction: settles the reservation, spends a purchased credit, stores and counts the search,
     * and stores the idempotent response. False when the lease of the reservation or of the idempotency key
     * has expired or belongs to another owner; then nothing is written. A second call with the same search
     * returns true and changes nothing.
     */
    async settle(outcome: SettledSearch): Promise<boolean> {
      try {
        await runTransaction(prisma, (tx) => settle(tx, outcome));
        return true;
      } catch (error) {
        if (error instanceof LeaseExpired) return false;
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
      const isSeen = row.listedAnimeId !== null || isOwnHistory || (isOwn && isOpen(row, options.at));
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

// Rolls the transaction back.
class LeaseExpired extends Error {}

async function settle(tx: Transaction, outcome: SettledSearch): Promise<void> {
  const { search, reservation, idempotency, at } = outcome;
  const { id, callerHash, inHistory, isPublic, confirmTokenHash, queryKind } = search;
  const isSettled = await settleReservation(tx, { ...reservation, callerHash });
  if (!isSettled) {
    const known = await tx.search.findUnique({ where: { id } });
    if (known?.callerHash === callerHash) return;
    throw new LeaseExpired();
  }
  if (idempotency !== undefined && !(await saveResponse(tx, { ...idempotency, callerHash })))
    throw new LeaseExpired();
  const defaultId = findDefaultAnimeId(search.matches);
  const namesNow = await lockAnime(tx, defaultId === null ? [] : [defaultId]);
  const animeId = namesNow.get(defaultId ?? "") ?? null;
  await tx.$executeRaw`
    INSERT INTO "Search" ("id", "callerHash", "inHistory", "isPublic", "confirmTokenHash", "queryKind", "outcome", "matches",
      "frameCount", "tookMs", "countedAnimeId", "countedDay", "createdAt")
    VALUES (${id}, ${callerHash}, ${inHistory}, ${isPublic}, ${confirmTokenHash}, ${queryKind}, ${search.outcome},
      ${JSON.stringify(search.matches)}::jsonb, ${search.frameCount}, ${search.tookMs}, ${animeId}, ${toDay(at)}::date, ${at})`;
  // The last statements, because concurrent searches wait for these row locks.
  if (animeId !== null) await changeCounts(tx, namesNow, [{ animeId, day: at, searches: 1, listed: 0 }]);
  await countSearch(tx, { ...search, at });
}
