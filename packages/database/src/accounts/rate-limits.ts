import type { PrismaClient } from "../generated/client.ts";

/** The number of attempts of a key, and the time for which they count. */
export type Counted = { key: string; count: number; remainingMs: number };

/** Rate limits: at most `limit` attempts per key and time window. */
export function createRateLimits(prisma: PrismaClient) {
  return {
    /**
     * Counts one attempt, including rejected ones. The attempt is rejected when the window has more than
     * `limit`. The window begins with its first attempt and ends at `windowEndsAt`. `key` is a keyed HMAC of
     * the caller and the action.
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
      if (row === undefined) throw new Error("The statement that counts an attempt returned no row.");
      return { isRefused: row.count > limit, windowEndsAt: row.windowEndsAt };
    },

    /** Removes one counted attempt from the window at `at`. */
    async release(options: { key: string; at: Date }): Promise<void> {
      await prisma.$executeRaw`
        UPDATE "Attempt" SET "count" = greatest("count" - 1, 0)
        WHERE "key" = ${options.key} AND "windowEndsAt" > ${options.at}`;
    },

    /** Marks a key until a time; a later call moves the time. */
    async mark(options: { key: string; until: Date }): Promise<void> {
      const { key, until } = options;
      await prisma.$executeRaw`
        INSERT INTO "Attempt" ("key", "count", "windowEndsAt") VALUES (${key}, 0, ${until})
        ON CONFLICT ("key") DO UPDATE SET "windowEndsAt" = excluded."windowEndsAt"`;
    },

    /** Whether a key is marked at `at`. */
    async isMarked(options: { key: string; at: Date }): Promise<boolean> {
      const row = await prisma.attempt.findUnique({ where: { key: options.key } });
      return row !== null && row.windowEndsAt > options.at;
    },

    /**
     * Adds attempts that this process has counted in memory, and returns for each key the total of all
     * processes in its window and the remaining milliseconds by the database's clock.
     */
    async add(counted: readonly Counted[]): Promise<Counted[]> {
      if (counted.length === 0) return [];
      // One order of the rows prevents deadlocks between concurrent calls.
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
