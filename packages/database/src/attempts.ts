import type { PrismaClient } from "./generated/client.ts";

/** Attempts that are limited: so many by one key in one window of time. */
export type AttemptStore = ReturnType<typeof createAttempts>;

export function createAttempts(prisma: PrismaClient) {
  return {
    /**
     * Counts one attempt, refused ones too; refused when it is more than `limit` since the first of its window, which ends
     * at `windowEndsAt`. `key` is a keyed HMAC of who tries and what.
     */
    async take(wanted: {
      key: string;
      limit: number;
      windowSeconds: number;
      at: Date;
    }): Promise<{ isRefused: boolean; windowEndsAt: Date }> {
      const { key, limit, at } = wanted;
      const windowEndsAt = new Date(at.getTime() + wanted.windowSeconds * 1000);
      const [row] = await prisma.$queryRaw<{ count: number; windowEndsAt: Date }[]>`
        INSERT INTO "Attempt" AS known ("key", "count", "windowEndsAt") VALUES (${key}, 1, ${windowEndsAt})
        ON CONFLICT ("key") DO UPDATE SET
          "count" = CASE WHEN known."windowEndsAt" <= ${at} THEN 1 ELSE known."count" + 1 END,
          "windowEndsAt" = CASE WHEN known."windowEndsAt" <= ${at} THEN excluded."windowEndsAt" ELSE known."windowEndsAt" END
        RETURNING "count", "windowEndsAt"`;
      if (row === undefined) throw new Error("An attempt without a row.");
      return { isRefused: row.count > limit, windowEndsAt: row.windowEndsAt };
    },

    /** Deletes windows that ended over a day ago. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "Attempt" WHERE "windowEndsAt" < now() - interval '1 day'`;
    },
  };
}
