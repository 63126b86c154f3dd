import { runTransaction } from "../connection/run-transaction.ts";
import type { PrismaClient } from "../generated/client.ts";
import { listPage, type Page } from "../page.ts";
import { lockSearch } from "./confirmations.ts";
import { replaceCorrection } from "./corrections.ts";
import { changeCounts } from "./search-counts.ts";
import { openMs, type Search, toSearch } from "./search-row.ts";

export function createSearchHistory(prisma: PrismaClient) {
  return {
    /** A page of a user's searches, newest first; pages count from 1. */
    async listHistory(options: Page & { callerHash: string }): Promise<{ total: number; items: Search[] }> {
      const where = { callerHash: options.callerHash, inHistory: true };
      const { total, rows } = await listPage(prisma.search, options, where, (part) =>
        prisma.search.findMany({ ...part, orderBy: [{ createdAt: "desc" }, { id: "asc" }] }),
      );
      return { total, items: rows.map(toSearch) };
    },

    /** The number of searches in a user's history by UTC day ("2026-11-20"), from the day of `from`. */
    async countHistoryByDay(options: { callerHash: string; from: Date }): Promise<Map<string, number>> {
      const rows = await prisma.$queryRaw<{ day: string; searches: number }[]>`
        SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day", count(*)::int AS "searches"
        FROM "Search"
        WHERE "callerHash" = ${options.callerHash} AND "inHistory" = true
          AND "createdAt" >= date_trunc('day', ${options.from}::timestamptz, 'UTC')
        GROUP BY 1`;
      return new Map(rows.map(({ day, searches }) => [day, searches]));
    },

    /**
     * Adds searches of guests to a user's history; returns their number. The hash of its token proves who made a
     * search, within 24 hours; afterwards only the user is its maker.
     */
    async addToHistory(options: {
      searches: readonly { id: string; confirmTokenHash: string }[];
      callerHash: string;
      at: Date;
    }): Promise<number> {
      const ids = options.searches.map(({ id }) => id);
      const hashes = options.searches.map(({ confirmTokenHash }) => confirmTokenHash);
      return await prisma.$executeRaw`
        UPDATE "Search" AS s
        SET "callerHash" = ${options.callerHash}, "inHistory" = true, "confirmTokenHash" = NULL
        FROM unnest(${ids}::text[], ${hashes}::text[]) AS proof ("id", "hash")
        WHERE s."id" = proof."id" AND s."confirmTokenHash" = proof."hash" AND s."inHistory" = false
          AND s."createdAt" > ${new Date(options.at.getTime() - openMs)}`;
    },

    /**
     * Deletes a user's search, also from the recent searches; the rankings keep its count. False when it is
     * not in the user's history.
     */
    async removeFromHistory(options: { id: string; callerHash: string }): Promise<boolean> {
      return await runTransaction(prisma, async (tx) => {
        const locked = await lockSearch(tx, options.id);
        if (locked === undefined) return false;
        const { row, namesNow } = locked;
        if (!row.inHistory || row.callerHash !== options.callerHash) return false;
        await tx.search.delete({ where: { id: row.id }, select: { id: true } });
        await replaceCorrection(tx, row.id, undefined);
        const { listedAnimeId: animeId, createdAt: day } = row;
        if (animeId !== null) await changeCounts(tx, namesNow, [{ animeId, day, searches: 0, listed: -1 }]);
        return true;
      });
    },
  };
}
