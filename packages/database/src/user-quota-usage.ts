import type { Transaction } from "./run-transaction.ts";

/** What a user has used and has left; reserved searches count as used. */
export type UserQuotaUsage = {
  /** Of the free ones of the day. */
  freeUsed: number;
  /** Credits that nothing is reserved for. */
  purchasedRemaining: number;
  /** In the 60 minutes before `at`, free or purchased. */
  hourlyUsed: number;
  /**
   * When the hour next has room for one more than now, or once the limit is reached, for one at all; null while the hour
   * is empty.
   */
  hourlyFreesAt: Date | null;
};

const hourMs = 60 * 60 * 1000;

/** Counts what a user has used; exact under the caller's lock, else a snapshot. */
export async function readUserUsage(
  tx: Transaction,
  of: { callerHash: string; userId: string; day: string; at: Date; hourlyLimit: number },
): Promise<UserQuotaUsage> {
  const hourAgo = new Date(of.at.getTime() - hourMs);
  // One statement, so that a search that is settled in between is neither missed nor counted twice. What another instance
  // reserved with its clock a little ahead counts too.
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
  if (row === undefined) throw new Error("A count without a row.");
  return {
    freeUsed: row.freeUsed,
    purchasedRemaining: Math.max(0, row.balance - row.held),
    hourlyUsed: row.hourlyUsed,
    hourlyFreesAt: row.oldest === null ? null : new Date(row.oldest.getTime() + hourMs),
  };
}
