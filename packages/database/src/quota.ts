import { createId } from "./create-id.ts";
import { spendCredit } from "./credits.ts";
import type { PrismaClient } from "./generated/client.ts";
import { retry } from "./retry-methods.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";
import { readUserUsage, type UserQuotaUsage } from "./user-quota-usage.ts";

/** Whose search, and for how long it may take. `owner` is unique to the request. */
type Reserving = { callerHash: string; day: string; owner: string; leaseSeconds: number };

/** The answer to a guest; `used` counts settled and reserved searches of the day, this one included. */
export type GuestReservationResult =
  | { isRefused: false; reservationId: string; used: number }
  | { isRefused: true; used: number };

/** The answer to a user, with what is left now; `hourly` is looked at before `credits`. */
export type UserReservationResult =
  | { isRefused: false; reservationId: string; kind: "free" | "purchased"; usage: UserQuotaUsage }
  | { isRefused: true; why: "hourly" | "credits"; usage: UserQuotaUsage };

/** What a caller may still search. A reservation that is not settled within its lease expires and counts no more. */
export type QuotaStore = ReturnType<typeof createQuota>;

export function createQuota(prisma: PrismaClient) {
  return {
    /** Reserves one search of `day` ("2026-11-20", in the configured time zone) unless `limit` are used. */
    async reserveGuest(options: Reserving & { limit: number }): Promise<GuestReservationResult> {
      const id = createId();
      // Repeated with the same id, so that a commit whose answer was lost does not count twice.
      return await retry(() => runTransaction(prisma, (tx) => reserveGuest(tx, id, options)));
    },

    /**
     * Reserves one search of a user: within the hour before `at`, then of the free ones of `day`, then of the purchased.
     * Only `searches.settle` spends it.
     */
    async reserveUser(options: Reserving & UserLimits): Promise<UserReservationResult> {
      const id = createId();
      return await retry(() => runTransaction(prisma, (tx) => reserveUser(tx, id, options)));
    },

    /** What `reserveGuest` would count, without reserving. */
    async guestUsage(of: { callerHash: string; day: string }): Promise<{ used: number }> {
      return { used: await countGuest(prisma, of) };
    },

    /** What `reserveUser` would count, without reserving. */
    async userUsage(of: {
      callerHash: string;
      userId: string;
      day: string;
      at: Date;
      hourlyLimit: number;
    }): Promise<UserQuotaUsage> {
      return await readUserUsage(prisma, of);
    },

    /** Gives a reservation back that was not settled. */
    async release(reservationId: string, owner: string): Promise<void> {
      await prisma.quotaReservation.deleteMany({ where: { id: reservationId, owner, settledAt: null } });
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
 * Makes a live reservation count for good, and takes the credit of a purchased one; false when it has expired, is another's,
 * was settled before, or the credit is gone: then the transaction must not be committed.
 */
export async function settleReservation(
  tx: Transaction,
  reservation: { id: string; owner: string; callerHash: string; userId?: string | undefined },
): Promise<boolean> {
  // Without the lock, a reservation expiring right now could be left out by a count and settled a moment later.
  await lockCaller(tx, reservation.callerHash);
  const [settled] = await tx.$queryRaw<{ kind: string }[]>`
    UPDATE "QuotaReservation" SET "settledAt" = clock_timestamp()
    WHERE "id" = ${reservation.id} AND "owner" = ${reservation.owner} AND "callerHash" = ${reservation.callerHash}
      AND "settledAt" IS NULL AND "expiresAt" > clock_timestamp()
    RETURNING "kind"`;
  if (settled?.kind !== "purchased") return settled !== undefined;
  if (reservation.userId === undefined) throw new TypeError("A purchased search needs to know its user.");
  return await spendCredit(tx, reservation.userId);
}

async function reserveGuest(
  tx: Transaction,
  id: string,
  options: Reserving & { limit: number },
): Promise<GuestReservationResult> {
  await lockCaller(tx, options.callerHash);
  const used = await countGuest(tx, options);
  if ((await findKind(tx, id)) !== undefined) return { isRefused: false, reservationId: id, used };
  if (used >= options.limit) return { isRefused: true, used };
  await insert(tx, { ...options, id, kind: "guest", at: new Date() });
  return { isRefused: false, reservationId: id, used: used + 1 };
}

async function reserveUser(
  tx: Transaction,
  id: string,
  options: Reserving & UserLimits,
): Promise<UserReservationResult> {
  await lockCaller(tx, options.callerHash);
  const usage = await readUserUsage(tx, options);
  const known = await findKind(tx, id);
  if (known === "free" || known === "purchased") {
    return { isRefused: false, reservationId: id, kind: known, usage };
  }
  if (usage.hourlyUsed >= options.hourlyLimit) return { isRefused: true, why: "hourly", usage };
  const kind = usage.freeUsed < options.freeLimit ? "free" : "purchased";
  if (kind === "purchased" && usage.purchasedRemaining <= 0) {
    return { isRefused: true, why: "credits", usage };
  }
  await insert(tx, { ...options, id, kind });
  return { isRefused: false, reservationId: id, kind, usage: await readUserUsage(tx, options) };
}

async function insert(tx: Transaction, row: Reserving & { id: string; kind: string; at: Date }) {
  await tx.$executeRaw`
    INSERT INTO "QuotaReservation" ("id", "callerHash", "kind", "day", "at", "owner", "expiresAt")
    VALUES (${row.id}, ${row.callerHash}, ${row.kind}, ${row.day}, ${row.at}, ${row.owner},
      clock_timestamp() + make_interval(secs => ${row.leaseSeconds}))`;
}

async function findKind(tx: Transaction, id: string): Promise<string | undefined> {
  return (await tx.quotaReservation.findUnique({ where: { id } }))?.kind;
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
