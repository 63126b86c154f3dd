import type { PrismaClient, Search as SearchRow } from "./generated/client.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";
import { type CountChange, changeCounts, lockAnime } from "./search-counts.ts";
import { findDefaultAnimeId, isMaker, isOpen, type MakerProof, toMatches } from "./search-row.ts";

/** What became of a confirmation; `unknown`: no such search, or made by somebody else. */
export type ConfirmResult =
  | { state: "confirmed"; confirmedAt: Date }
  | { state: "unknown" | "expired" | "no_such_rank" };

/** What became of taking a confirmation back. */
export type UnconfirmResult = { state: "unconfirmed" | "unknown" | "expired" };

export function createConfirmations(prisma: PrismaClient) {
  return {
    /**
     * Confirms the match of `rank`, or with 0 that none is right, within 24 hours; again with another rank replaces it.
     * Moves what the search counts for in the same transaction.
     */
    async confirm(options: { id: string; rank: number; by: MakerProof; at: Date }): Promise<ConfirmResult> {
      const { id, rank, by, at } = options;
      return await runTransaction(prisma, async (tx): Promise<ConfirmResult> => {
        const locked = await lockSearch(tx, id);
        if (locked === undefined || !isMaker(locked.row, by)) return { state: "unknown" };
        const { row, namesNow } = locked;
        if (!isOpen(row, at)) return { state: "expired" };
        const match = toMatches(row.matches).find((each) => each.rank === rank);
        if (rank !== 0 && match === undefined) return { state: "no_such_rank" };
        if (row.confirmedRank === rank && row.confirmedAt !== null) {
          return { state: "confirmed", confirmedAt: row.confirmedAt };
        }
        const animeId = match === undefined ? null : (namesNow.get(match.animeId) ?? null);
        await write(tx, locked, { confirmedRank: rank, confirmedAt: at, animeId, isListed: row.isPublic });
        return { state: "confirmed", confirmedAt: at };
      });
    },

    /** Takes a confirmation back: the search counts as before. Harmless where there was none. */
    async unconfirm(options: { id: string; by: MakerProof; at: Date }): Promise<UnconfirmResult> {
      const { id, by, at } = options;
      return await runTransaction(prisma, async (tx): Promise<UnconfirmResult> => {
        const locked = await lockSearch(tx, id);
        if (locked === undefined || !isMaker(locked.row, by)) return { state: "unknown" };
        const { row, namesNow } = locked;
        if (!isOpen(row, at)) return { state: "expired" };
        if (row.confirmedRank === null) return { state: "unconfirmed" };
        const defaultId = findDefaultAnimeId(toMatches(row.matches));
        const animeId = defaultId === null ? null : (namesNow.get(defaultId) ?? null);
        await write(tx, locked, { confirmedRank: null, confirmedAt: null, animeId, isListed: false });
        return { state: "unconfirmed" };
      });
    },
  };
}

/** A search that nobody else changes, and what the anime of its matches, and those it counts for, are called now. */
export type LockedSearch = { row: SearchRow; namesNow: Map<string, string> };

/** Locks a search, and before it the anime that it could count for. */
export async function lockSearch(tx: Transaction, id: string): Promise<LockedSearch | undefined> {
  const known = await tx.search.findUnique({ where: { id } });
  if (known === null) return undefined;
  const namesNow = await lockAnime(
    tx,
    toMatches(known.matches).map(({ animeId }) => animeId),
  );
  await tx.$queryRaw`SELECT 1 FROM "Search" WHERE "id" = ${id} FOR UPDATE`;
  const row = await tx.search.findUnique({ where: { id } });
  if (row === null) return undefined;
  // Where anime were merged, it may count for one by a name in between. That is one of its matches' by now: locked already.
  const counted = [row.countedAnimeId, row.listedAnimeId].filter((each) => each !== null);
  const others = await lockAnime(
    tx,
    counted.filter((each) => !namesNow.has(each)),
  );
  return { row, namesNow: new Map([...namesNow, ...others]) };
}

async function write(
  tx: Transaction,
  { row, namesNow }: LockedSearch,
  now: { confirmedRank: number | null; confirmedAt: Date | null; animeId: string | null; isListed: boolean },
): Promise<void> {
  const { confirmedRank, confirmedAt, animeId } = now;
  const listedAnimeId = now.isListed ? animeId : null;
  await tx.search.update({
    where: { id: row.id },
    data: { confirmedRank, confirmedAt, listedAnimeId, countedAnimeId: animeId },
    select: { id: true },
  });
  const day = row.countedDay ?? row.createdAt;
  const before = (id: string | null) => (id === null ? null : (namesNow.get(id) ?? null));
  const change = (id: string | null, searches: number, listed: number): CountChange[] =>
    id === null ? [] : [{ animeId: id, day, searches, listed }];
  await changeCounts(tx, namesNow, [
    ...change(before(row.countedAnimeId), -1, 0),
    ...change(animeId, 1, 0),
    ...change(before(row.listedAnimeId), 0, -1),
    ...change(listedAnimeId, 0, 1),
  ]);
}
