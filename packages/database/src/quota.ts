import type { PrismaClient } from "./generated/client.ts";

/** The answer to a reservation; `used` counts settled and reserved searches of the day, this one included. */
export type QuotaAnswer = { refused: false; reservationId: string; used: number } | { refused: true; used: number };

/** How much of a day's searches a caller has used. */
export type QuotaStore = ReturnType<typeof createQuota>;

export function createQuota(prisma: PrismaClient) {
  return {
    /** Reserves one search of `day` ("2026-11-20", in the configured time zone) unless `limit` are used. The lease expires by itself. */
    async reserve(wanted: {
      callerHash: string;
      kind: "guest";
      limit: number;
      day: string;
      owner: string;
      leaseSeconds: number;
    }): Promise<QuotaAnswer> {
      throw new Error("not written");
    },

    /** Makes a reservation count for good; false when it has expired or is another's. Searches are settled by `searches.settle`. */
    async settle(reservationId: string, owner: string): Promise<boolean> {
      throw new Error("not written");
    },

    /** Gives a reservation back that was not settled. */
    async release(reservationId: string, owner: string): Promise<void> {
      throw new Error("not written");
    },

    /** Settled and reserved searches of a caller on a day. */
    async used(of: { callerHash: string; day: string }): Promise<number> {
      throw new Error("not written");
    },

    /** Deletes reservations older than three days. */
    async collectGarbage(): Promise<void> {
      throw new Error("not written");
    },
  };
}
