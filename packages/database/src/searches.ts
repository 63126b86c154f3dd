import { createConfirmations } from "./confirmations.ts";
import type { PrismaClient } from "./generated/client.ts";
import { saveResponse } from "./idempotency.ts";
import type { JsonValue } from "./json-value.ts";
import { settleReservation } from "./quota.ts";
import { createRecentSearches } from "./recent-searches.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";
import { changeCounts, lockAnime, toDay } from "./search-counts.ts";
import { createSearchHistory } from "./search-history.ts";
import { findDefaultAnimeId, isMaker, isOpen, type MakerProof, type Search, toSearch } from "./search-row.ts";
import { collectSearchGarbage, type SearchAging } from "./searches-aging.ts";

/** A search that is about to be answered. `userId` spends a purchased credit and is not stored with the search. */
export type SettledSearch = {
  search: Omit<Search, "confirmedRank" | "confirmedAt" | "createdAt"> & {
    callerHash: string;
    confirmTokenHash: string;
  };
  reservation: { id: string; owner: string; userId?: string | undefined };
  idempotency?: { key: string; owner: string; response: JsonValue } | undefined;
  /** When it is made; the ranking counts it for this UTC day. */
  at: Date;
};

/** The answered searches, and the one transaction that settles what an answer costs. */
export type SearchStore = ReturnType<typeof createSearches>;

export function createSearches(prisma: PrismaClient) {
  return {
    ...createConfirmations(prisma),
    ...createSearchHistory(prisma),
    ...createRecentSearches(prisma),

    /**
     * In one transaction: the reservation counts for good, a purchased credit is spent, the search is stored and counted,
     * the idempotent answer kept. False when the reservation or the hold on the idempotency key has expired or is
     * another's: then nothing is written. The same search settled again gives true and changes nothing.
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

    /** A search as its maker sees it: for 24 hours, and longer in their history; as everyone does, once confirmed and public. */
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
     * Guests' searches go after 24 hours, users' after `historyDays`; those that stay because they are public lose what
     * could tell who asked.
     */
    async collectGarbage(aging: SearchAging): Promise<void> {
      await collectSearchGarbage(prisma, aging);
    },
  };
}

// Thrown to undo the transaction.
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
  // Last, because many wait for the row of an anime that many look for.
  if (animeId !== null) await changeCounts(tx, namesNow, [{ animeId, day: at, searches: 1, listed: 0 }]);
}
