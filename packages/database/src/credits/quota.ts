import type { Query } from "../connection/query.ts";
import { repeatConflicting } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { PrismaClient } from "../generated/client.ts";
import { type CallerKind, releaseAndCount } from "../searches/search-totals.ts";
import { readUserUsage, toUserUsage, type UserQuotaUsage, type UserUsageRow } from "./user-quota-usage.ts";

/** The caller of a search and the lease of its reservation. `owner` is unique to the request. */
type Reserving = { callerHash: string; day: string; owner: string; leaseSeconds: number };

/** The result for a guest; `used` counts settled and reserved searches of the day, including this one. */
export type GuestReservationResult =
  | { isRefused: false; reservationId: string; used: number }
  | { isRefused: true; used: number };

/** The result for a user with the usage after it; `hourly` is checked before `credits`. */
export type UserReservationResult =
  | { isRefused: false; reservationId: string; kind: "free" | "purchased"; usage: UserQuotaUsage }
  | { isRefused: true; why: "hourly" | "credits"; usage: UserQuotaUsage };

/** The quota of callers. A reservation that is not settled within its lease expires and no longer counts. */
export function createQuota(prisma: PrismaClient, query: Query) {
  return {
    /** Reserves one search of `day` ("2026-11-20", in the configured time zone) unless `limit` are used. */
    async reserveGuest(options: Reserving & { limit: number }): Promise<GuestReservationResult> {
      return await repeatConflicting(() => reserveGuest(query, options));
    },

    /**
     * Reserves one search of a user: first it checks the hour before `at`, then it takes a free search of
     * `day`, then a purchased credit. Only `searches.settle` spends it.
     */
    async reserveUser(options: Reserving & UserLimits): Promise<UserReservationResult> {
      return await repeatConflicting(() => reserveUser(query, options));
    },

    /** The usage that `reserveGuest` would count, without a reservation. */
    async guestUsage(of: { callerHash: string; day: string }): Promise<{ used: number }> {
      const sql = 'SELECT "countGuestSearches"($1, $2) AS "used"';
      const [row] = await query<{ used: number }>(sql, [of.callerHash, of.day]);
      return { used: row?.used ?? 0 };
    },

    /** The usage that `reserveUser` would count, without a reservation. */
    async userUsage(of: {
      callerHash: string;
      userId: string;
      day: string;
      at: Date;
      hourlyLimit: number;
    }): Promise<UserQuotaUsage> {
      return await readUserUsage(query, of);
    },

    /** Releases a reservation that was not settled. Its search counts as failed on the UTC day of `at`. */
    async release(
      reservationId: string,
      owner: string,
      search: { callerKind: CallerKind; at: Date },
    ): Promise<void> {
      await releaseAndCount(prisma, { ...search, id: reservationId, owner });
    },

    /** Deletes reservations older than three days. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "QuotaReservation" WHERE "createdAt" < now() - interval '3 days'`;
    },
  };
}

type UserLimits = { userId: string; at: Date; freeLimit: number; hourlyLimit: number };

async function reserveGuest(
  query: Query,
  options: Reserving & { limit: number },
): Promise<GuestReservationResult> {
  const { callerHash, day, limit, owner, leaseSeconds } = options;
  const reservationId = createId();
  const [row] = await query<{ isReserved: boolean; used: number }>(
    `SELECT * FROM "reserveGuestSearch"("reservationId" => $1, "ofCaller" => $2, "onDay" => $3,
      "searchedAt" => $4, "searchLimit" => $5, "byOwner" => $6, "leaseSeconds" => $7)`,
    [reservationId, callerHash, day, new Date(), limit, owner, leaseSeconds],
  );
  if (row === undefined) throw new Error("The function that reserves a search returned no row.");
  const { isReserved, used } = row;
  return isReserved ? { isRefused: false, reservationId, used } : { isRefused: true, used };
}

async function reserveUser(query: Query, options: Reserving & UserLimits): Promise<UserReservationResult> {
  const { callerHash, userId, day, at, freeLimit, hourlyLimit, owner, leaseSeconds } = options;
  const reservationId = createId();
  const [row] = await query<UserUsageRow & { result: "free" | "purchased" | "hourly" | "credits" }>(
    `SELECT * FROM "reserveUserSearch"("reservationId" => $1, "ofCaller" => $2, "ofUser" => $3, "onDay" => $4,
      "searchedAt" => $5, "freeLimit" => $6, "hourlyLimit" => $7, "byOwner" => $8, "leaseSeconds" => $9)`,
    [reservationId, callerHash, userId, day, at, freeLimit, hourlyLimit, owner, leaseSeconds],
  );
  if (row === undefined) throw new Error("The function that reserves a search returned no row.");
  const usage = toUserUsage(row);
  const { result } = row;
  return result === "free" || result === "purchased"
    ? { isRefused: false, reservationId, kind: result, usage }
    : { isRefused: true, why: result, usage };
}
