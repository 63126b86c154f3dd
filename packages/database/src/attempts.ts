import type { PrismaClient } from "./generated/client.ts";

/** Attempts that are limited: so many by one key in one window of time. */
export type AttemptStore = ReturnType<typeof createAttempts>;

/** How many attempts there are by a key, and for how long they count. */
export type Counted = { key: string; count: number; remainingMs: number };

export function createAttempts(prisma: PrismaClient) {
  return {
    /**
     * Counts one attempt, refused ones too; refused when it is more than `limit` since the first of its window, which ends
     * at `windowEndsAt`. `key` is a keyed HMAC of who tries and what.
     */
    async take(options: {
      key: string;
      limit: number;
      windowSeconds: number;
      at: Date;
    }): Promise<{ isRefused: boolean; windowEndsAt: Date }> {
      const { key, limit, at } = options;
      const windowEndsAt = new Date(at.getTime() + options.windowSeconds * 1000);
      const [row] = await prisma.$queryRaw<{ count: number; windowEndsAt: Date }[]>`
        INSERT INTO "Attempt" AS known ("key", "count", "windowEndsAt") VALUES (${key}, 1, ${windowEndsAt})
        ON CONFLICT ("key") DO UPDATE SET
          "count" = CASE WHEN known."windowEndsAt" <= ${at} THEN 1 ELSE known."count" + 1 END,
          "windowEndsAt" = CASE WHEN known."windowEndsAt" <= ${at} THEN excluded."windowEndsAt" ELSE known."windowEndsAt" END
        RETURNING "count", "windowEndsAt"`;
      if (row === undefined) throw new Error("An attempt without a row.");
      return { isRefused: row.count > limit, windowEndsAt: row.windowEndsAt };
    },

    /**
     * Adds what was counted elsewhere, many keys in one statement, and gives where each stands: how many there are in its window
     * by whoever counted, and the milliseconds that are left of it by the database's clock. A lost connection may make it count
     * twice.
     */
    async add(counted: readonly Counted[]): Promise<Counted[]> {
      if (counted.length === 0) return [];
      // In one order, so that two who add at once wait for each other and never both.
      const sorted = [...counted].sort((one, other) => (one.key < other.key ? -1 : 1));
      const [keys, counts, remaining] = [
        sorted.map(({ key }) => key),
        sorted.map(({ count }) => count),
        sorted.map(({ remainingMs }) => Math.round(remainingMs)),
      ];
      return await prisma.$queryRaw<Counted[]>`
        INSERT INTO "Attempt" AS known ("key", "count", "windowEndsAt")
        SELECT "key", "count", now() + "remainingMs" * interval '1 millisecond'
        FROM unnest(${keys}::text[], ${counts}::int[], ${remaining}::int[]) AS counted ("key", "count", "remainingMs")
        ON CONFLICT ("key") DO UPDATE SET
          "count" = CASE WHEN known."windowEndsAt" <= now() THEN excluded."count" ELSE known."count" + excluded."count" END,
          "windowEndsAt" = CASE WHEN known."windowEndsAt" <= now() THEN excluded."windowEndsAt" ELSE known."windowEndsAt" END
        RETURNING "key", "count", (extract(epoch FROM "windowEndsAt" - now()) * 1000)::float8 AS "remainingMs"`;
    },

    /** Deletes windows that ended over a day ago. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "Attempt" WHERE "windowEndsAt" < now() - interval '1 day'`;
    },
  };
}
