import type { Query } from "../connection/query.ts";

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

/** The usage as functions of the database return it. */
export type UserUsageRow = {
  freeUsed: number;
  held: number;
  /** Of 64 bits, which pg returns as text. */
  balance: string;
  hourlyUsed: number;
  oldest: Date | null;
};

const hourMs = 60 * 60 * 1000;

/** Counts the usage of a user in a snapshot. */
export async function readUserUsage(
  query: Query,
  of: { callerHash: string; userId: string; day: string; at: Date; hourlyLimit: number },
): Promise<UserQuotaUsage> {
  const [row] = await query<UserUsageRow>('SELECT * FROM "readUserUsage"($1, $2, $3, $4, $5)', [
    of.callerHash,
    of.userId,
    of.day,
    of.at,
    of.hourlyLimit,
  ]);
  if (row === undefined) throw new Error("The function that counts the usage returned no row.");
  return toUserUsage(row);
}

export function toUserUsage(row: UserUsageRow): UserQuotaUsage {
  return {
    freeUsed: row.freeUsed,
    purchasedRemaining: Math.max(0, Number(row.balance) - row.held),
    hourlyUsed: row.hourlyUsed,
    hourlyFreesAt: row.oldest === null ? null : new Date(row.oldest.getTime() + hourMs),
  };
}
