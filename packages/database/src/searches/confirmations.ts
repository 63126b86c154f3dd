import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import type { PrismaClient, Search as SearchRow } from "../generated/client.ts";
import { changeConfidenceTotals } from "./confidence-totals.ts";
import { type CorrectedScene, replaceCorrection } from "./corrections.ts";
import { type CountChange, changeCounts, lockAnime } from "./search-counts.ts";
import { findDefaultAnimeId, isMaker, isOpen, type MakerProof, toMatches } from "./search-row.ts";

/** The result of a confirmation; `unknown`: the search does not exist or belongs to another caller. */
export type ConfirmResult =
  | { state: "confirmed"; confirmedAt: Date }
  | { state: "unknown" | "expired" | "no_such_rank" };

/** The result of withdrawing a confirmation. */
export type UnconfirmResult = { state: "unconfirmed" | "unknown" | "expired" };

export function createConfirmations(prisma: PrismaClient) {
  return {
    /**
     * Confirms the match of `rank`, or with 0 that no match is right, within 24 hours; a second call replaces
     * the rank. Moves the counts of the search in the same transaction. `correction` is what the image shows
     * when no match is right; each call replaces or deletes it.
     */
    async confirm(options: {
      id: string;
      rank: number;
      correction?: CorrectedScene | undefined;
      by: MakerProof;
      at: Date;
    }): Promise<ConfirmResult> {
      const { id, rank, correction: corrected, by, at } = options;
      return await runTransaction(prisma, async (tx): Promise<ConfirmResult> => {
        const locked = await lockSearch(tx, id);
        if (locked === undefined || !isMaker(locked.row, by)) return { state: "unknown" };
        const { row, namesNow } = locked;
        if (!isOpen(row, at)) return { state: "expired" };
        const matches = toMatches(row.matches);
        const match = matches.find((each) => each.rank === rank);
        if (rank !== 0 && match === undefined) return { state: "no_such_rank" };
        const correction = corrected && { ...corrected, match: matches[0], createdAt: at };
        await replaceCorrection(tx, id, correction);
        if (row.confirmedRank === rank && row.confirmedAt !== null) {
          return { state: "confirmed", confirmedAt: row.confirmedAt };
        }
        const animeId = match === undefined ? null : (namesNow.get(match.animeId) ?? null);
        const isListed = row.isPublic && match?.upstream === undefined;
        await write(tx, locked, { confirmedRank: rank, confirmedAt: at, animeId, isListed });
        return { state: "confirmed", confirmedAt: at };
      });
    },

    /** Withdraws a confirmation, so that the search counts as before; without one, nothing changes. */
    async unconfirm(options: { id: string; by: MakerProof; at: Date }): Promise<UnconfirmResult> {
      const { id, by, at } = options;
      return await runTransaction(prisma, async (tx): Promise<UnconfirmResult> => {
        const locked = await lockSearch(tx, id);
        if (locked === undefined || !isMaker(locked.row, by)) return { state: "unknown" };
        const { row, namesNow } = locked;
        if (!isOpen(row, at)) return { state: "expired" };
        if (row.confirmedRank === null) return { state: "unconfirmed" };
        await replaceCorrection(tx, id, undefined);
        const defaultId = findDefaultAnimeId(toMatches(row.matches));
        const animeId = defaultId === null ? null : (namesNow.get(defaultId) ?? null);
        await write(tx, locked, { confirmedRank: null, confirmedAt: null, animeId, isListed: false });
        return { state: "unconfirmed" };
      });
    },
  };
}

/** A locked search, with the current ids of the anime in its matches and counts. */
export type LockedSearch = { row: SearchRow; namesNow: Map<string, string> };

/** Locks a search, after the anime that it can count for. */
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
  // After a merge, the counted id can be an earlier one; its anime is one of the matches and locked already.
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
  await changeConfidenceTotals(tx, row, confirmedRank);
}
