import { createId } from "./create-id.ts";
import type { PrismaClient } from "./generated/client.ts";
import { retry } from "./retry-methods.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";

/** The answer to a reservation; `used` counts settled and reserved searches of the day, this one included. */
export type QuotaAnswer =
  | { isRefused: false; reservationId: string; used: number }
  | { isRefused: true; used: number };

/** How much of a day's searches a caller has used. */
export type QuotaStore = ReturnType<typeof createQuota>;

export function createQuota(prisma: PrismaClient) {
  return {
    /**
     * Reserves one search of `day` ("2026-11-20", in the configured time zone) unless `limit` are used.
     * A reservation that is not settled within `leaseSeconds` expires and counts no more.
     */
    async reserve(wanted: {
      callerHash: string;
      kind: "guest";
      limit: number;
      day: string;
      owner: string;
      leaseSeconds: number;
    }): Promise<QuotaAnswer> {
      const { callerHash, kind, limit, day, owner, leaseSeconds } = wanted;
      const id = createId();
      const reserveOnce = async (tx: Transaction): Promise<QuotaAnswer> => {
        await lockCaller(tx, callerHash);
        const used = await countUsed(tx, { callerHash, day });
        if ((await tx.quotaReservation.findUnique({ where: { id } })) !== null) {
          return { isRefused: false, reservationId: id, used };
        }
        if (used >= limit) return { isRefused: true, used };
        await tx.$executeRaw`
          INSERT INTO "QuotaReservation" ("id", "callerHash", "kind", "day", "owner", "expiresAt")
          VALUES (${id}, ${callerHash}, ${kind}, ${day}, ${owner}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))`;
        return { isRefused: false, reservationId: id, used: used + 1 };
      };
      // Repeated with the same id, so that a commit whose answer was lost does not count twice.
      return await retry(() => runTransaction(prisma, reserveOnce));
    },

    /** Gives a reservation back that was not settled. */
    async release(reservationId: string, owner: string): Promise<void> {
      await prisma.quotaReservation.deleteMany({ where: { id: reservationId, owner, settledAt: null } });
    },

    /** Settled and reserved searches of a caller on a day. */
    async countUsed(of: { callerHash: string; day: string }): Promise<number> {
      return await countUsed(prisma, of);
    },

    /** Deletes reservations older than three days. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "QuotaReservation" WHERE "createdAt" < clock_timestamp() - interval '3 days'`;
    },
  };
}

/** Makes a live reservation count for good; false when it has expired, is another's or was settled before. */
export async function settleReservation(
  tx: Transaction,
  reservation: { id: string; owner: string; callerHash: string },
): Promise<boolean> {
  // Without the lock, a reservation expiring right now could be left out by a count and settled a moment later.
  await lockCaller(tx, reservation.callerHash);
  const settled = await tx.$executeRaw`
    UPDATE "QuotaReservation" SET "settledAt" = clock_timestamp()
    WHERE "id" = ${reservation.id} AND "owner" = ${reservation.owner} AND "callerHash" = ${reservation.callerHash}
      AND "settledAt" IS NULL AND "expiresAt" > clock_timestamp()`;
  return settled === 1;
}

async function lockCaller(tx: Transaction, callerHash: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${callerHash}, 0))`;
}

async function countUsed(tx: Transaction, of: { callerHash: string; day: string }): Promise<number> {
  const [row] = await tx.$queryRaw<{ used: number }[]>`
    SELECT count(*)::int AS "used" FROM "QuotaReservation"
    WHERE "callerHash" = ${of.callerHash} AND "day" = ${of.day}
      AND ("settledAt" IS NOT NULL OR "expiresAt" > clock_timestamp())`;
  return row?.used ?? 0;
}
