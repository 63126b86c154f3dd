import type { Transaction } from "../connection/run-transaction.ts";

/** The usage of a user; reserved searches count as used. */
export type UserQuotaUsage = {
  /** Free searches of the day. */
  freeUsed: number;
  /** Credits that are not reserved. */
  purchasedRemaining: number;
  /** In the 60 minutes before `at`, free or purchased. */
  hourlyUsed: number;
  /**
   * When the oldest search that counts leaves the hour; above the limit, when the usage falls below it. Null
   * without a search in the hour.
   */
  hourlyFreesAt: Date | null;
};

const hourMs = 60 * 60 * 1000;

/** Counts the usage of a user; exact under the caller's lock, otherwise a snapshot. */
export async function readUserUsage(
  tx: Transaction,
  of: { callerHash: string; userId: string; day: string; at: Date; hourlyLimit: number },
): Promise<UserQuotaUsage> {
  const hourAgo = new Date(of.at.getTime() - hourMs);
  // One statement counts a concurrently settled search exactly once. Reservations of an instance whose clock
  // is ahead count too.
  const [row] = await tx.$queryRaw<
    { freeUsed: number; held: number; balance: number; hourlyUsed: number; oldest: Date | null }[]
  >`
    WITH counted AS (
      SELECT "kind", "day", "at", "settledAt" FROM "QuotaReservation"
      WHERE "callerHash" = ${of.callerHash} AND ("settledAt" IS NOT NULL OR "expiresAt" > clock_timestamp())
    ), hour AS (SELECT "at" FROM counted WHERE "at" > ${hourAgo})
    SELECT
      (SELECT count(*)::int FROM counted WHERE "kind" = 'free' AND "day" = ${of.day}) AS "freeUsed",
      (SELECT count(*)::int FROM counted WHERE "kind" = 'purchased' AND "settledAt" IS NULL) AS "held",
      coalesce((SELECT "purchased" FROM "CreditAccount" WHERE "userId" = ${of.userId}), 0) AS "balance",
      (SELECT count(*)::int FROM hour) AS "hourlyUsed",
      (SELECT "at" FROM hour ORDER BY "at"
        OFFSET greatest((SELECT count(*) FROM hour) - ${of.hourlyLimit}, 0) LIMIT 1) AS "oldest"`;
  if (row === undefined) throw new Error("The statement that counts the usage returned no row.");
  return {
    freeUsed: row.freeUsed,
    purchasedRemaining: Math.max(0, row.balance - row.held),
    hourlyUsed: row.hourlyUsed,
    hourlyFreesAt: row.oldest === null ? null : new Date(row.oldest.getTime() + hourMs),
  };
}
