import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { PrismaClient } from "../generated/client.ts";
import { type CallerKind, releaseAndCount } from "../searches/search-totals.ts";
import { spendCredit } from "./credits.ts";
import { readUserUsage, type UserQuotaUsage } from "./user-quota-usage.ts";

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
export type QuotaStore = ReturnType<typeof createQuota>;

export function createQuota(prisma: PrismaClient) {
  return {
    /** Reserves one search of `day` ("2026-11-20", in the configured time zone) unless `limit` are used. */
    async reserveGuest(options: Reserving & { limit: number }): Promise<GuestReservationResult> {
      return await runTransaction(prisma, (tx) => reserveGuest(tx, options));
    },

    /**
     * Reserves one search of a user: first it checks the hour before `at`, then it takes a free search of
     * `day`, then a purchased credit. Only `searches.settle` spends it.
     */
    async reserveUser(options: Reserving & UserLimits): Promise<UserReservationResult> {
      return await runTransaction(prisma, (tx) => reserveUser(tx, options));
    },

    /** The usage that `reserveGuest` would count, without a reservation. */
    async guestUsage(of: { callerHash: string; day: string }): Promise<{ used: number }> {
      return { used: await countGuest(prisma, of) };
    },

    /** The usage that `reserveUser` would count, without a reservation. */
    async userUsage(of: {
      callerHash: string;
      userId: string;
      day: string;
      at: Date;
      hourlyLimit: number;
    }): Promise<UserQuotaUsage> {
      return await readUserUsage(prisma, of);
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

/**
 * Settles a reservation and spends the credit of a purchased one. False when the reservation has expired,
 * belongs to another owner or was settled before, or when no credit is left: then the transaction must be
 * rolled back.
 */
export async function settleReservation(
  tx: Transaction,
  reservation: { id: string; owner: string; callerHash: string; userId?: string | undefined },
): Promise<boolean> {
  // Without the lock, a count could omit an expiring reservation that is settled a moment later.
  await lockCaller(tx, reservation.callerHash);
  const [settled] = await tx.$queryRaw<{ kind: string }[]>`
    UPDATE "QuotaReservation" SET "settledAt" = clock_timestamp()
    WHERE "id" = ${reservation.id} AND "owner" = ${reservation.owner} AND "callerHash" = ${reservation.callerHash}
      AND "settledAt" IS NULL AND "expiresAt" > clock_timestamp()
    RETURNING "kind"`;
  if (settled?.kind !== "purchased") return settled !== undefined;
  if (reservation.userId === undefined) throw new TypeError("A purchased search needs the id of its user.");
  return await spendCredit(tx, reservation.userId);
}

async function reserveGuest(
  tx: Transaction,
  options: Reserving & { limit: number },
): Promise<GuestReservationResult> {
  await lockCaller(tx, options.callerHash);
  const used = await countGuest(tx, options);
  if (used >= options.limit) return { isRefused: true, used };
  const reservationId = await insert(tx, { ...options, kind: "guest", at: new Date() });
  return { isRefused: false, reservationId, used: used + 1 };
}

async function reserveUser(tx: Transaction, options: Reserving & UserLimits): Promise<UserReservationResult> {
  await lockCaller(tx, options.callerHash);
  const usage = await readUserUsage(tx, options);
  if (usage.hourlyUsed >= options.hourlyLimit) return { isRefused: true, why: "hourly", usage };
  const kind = usage.freeUsed < options.freeLimit ? "free" : "purchased";
  if (kind === "purchased" && usage.purchasedRemaining <= 0) {
    return { isRefused: true, why: "credits", usage };
  }
  const reservationId = await insert(tx, { ...options, kind });
  return { isRefused: false, reservationId, kind, usage: await readUserUsage(tx, options) };
}

async function insert(tx: Transaction, row: Reserving & { kind: string; at: Date }): Promise<string> {
  const id = createId();
  await tx.$executeRaw`
    INSERT INTO "QuotaReservation" ("id", "callerHash", "kind", "day", "at", "owner", "expiresAt")
    VALUES (${id}, ${row.callerHash}, ${row.kind}, ${row.day}, ${row.at}, ${row.owner},
      clock_timestamp() + make_interval(secs => ${row.leaseSeconds}))`;
  return id;
}

async function lockCaller(tx: Transaction, callerHash: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${callerHash}, 0))`;
}

async function countGuest(tx: Transaction, of: { callerHash: string; day: string }): Promise<number> {
  const [row] = await tx.$queryRaw<{ used: number }[]>`
    SELECT count(*)::int AS "used" FROM "QuotaReservation"
    WHERE "callerHash" = ${of.callerHash} AND "day" = ${of.day}
      AND ("settledAt" IS NOT NULL OR "expiresAt" > clock_timestamp())`;
  return row?.used ?? 0;
}
