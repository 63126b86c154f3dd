import type { PrismaClient } from "../generated/client.ts";
import { toDay } from "./search-counts.ts";
import type { SearchOutcome } from "./search-row.ts";

/** The way in which a caller identified itself; chat users count as their bot. */
export type CallerKind = "guest" | "session" | "key" | "bot";

/** The number of searches of a UTC day ("2026-11-20") with the same outcome and kind of caller. */
export type SearchTotal = {
  day: string;
  /** "failed": the search was reserved and had no result. */
  outcome: SearchOutcome | "failed";
  callerKind: CallerKind;
  searches: number;
};

export function createSearchTotals(prisma: PrismaClient) {
  return {
    /** The totals from the UTC day of `from`, oldest first, without zeros. */
    async listTotals(options: { from: Date }): Promise<SearchTotal[]> {
      return await prisma.$queryRaw<SearchTotal[]>`
        SELECT to_char("day", 'YYYY-MM-DD') AS "day", "outcome", "callerKind", sum("searches")::int AS "searches"
        FROM "SearchTotal" WHERE "day" >= ${toDay(options.from)}::date
        GROUP BY "SearchTotal"."day", "outcome", "callerKind" ORDER BY 1, 2, 3`;
    },
  };
}

/**
 * Deletes a reservation that was not settled, and counts its search as failed, in one statement. A settled,
 * released or deleted one changes nothing.
 */
export async function releaseAndCount(
  prisma: PrismaClient,
  { id, owner, callerKind, at }: { id: string; owner: string; callerKind: CallerKind; at: Date },
): Promise<void> {
  await prisma.$queryRaw`
    WITH released AS (
      DELETE FROM "QuotaReservation" WHERE "id" = ${id} AND "owner" = ${owner} AND "settledAt" IS NULL RETURNING "id")
    SELECT "countSearch"(${toDay(at)}::date, 'failed', ${callerKind})::text FROM released`;
}
