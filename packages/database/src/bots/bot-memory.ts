import { Prisma, type PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** A stored secret with its name. */
export type StoredSecret = Sealed & { name: string };

const longestWaitMs = 600_000;

/** Values that the bots keep across restarts, and the bots' own secrets. */
export type BotMemoryStore = ReturnType<typeof createBotMemory>;

export function createBotMemory(prisma: PrismaClient) {
  return {
    async get(platform: string, name: string): Promise<string | undefined> {
      return (await prisma.memory.findUnique({ where: { platform_name: { platform, name } } }))?.value;
    },

    async set(platform: string, name: string, value: string): Promise<void> {
      const where = { platform_name: { platform, name } };
      await prisma.memory.upsert({ where, create: { platform, name, value }, update: { value } });
    },

    /**
     * Reserves the next slot with this name, which begins `gapMs` after the previous one at the earliest.
     * Returns the milliseconds until then, by the clock of the database.
     */
    async reserveSlot(platform: string, name: string, gapMs: number): Promise<number> {
      const now = Prisma.sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
      // A time far ahead is from before the clock of the database was corrected.
      const [row] = await prisma.$queryRaw<{ waitMs: number }[]>`
        INSERT INTO "bots"."Memory" AS m ("platform", "name", "value")
        VALUES (${platform}, ${name}, (${now} + ${gapMs}::int)::text)
        ON CONFLICT ("platform", "name") DO UPDATE SET "value" = (${gapMs}::int + CASE
          WHEN m."value"::bigint BETWEEN ${now} AND ${now} + ${longestWaitMs}::int THEN m."value"::bigint
          ELSE ${now} END)::text
        RETURNING ("value"::bigint - ${gapMs}::int - ${now})::int AS "waitMs"`;
      return Math.max(0, row?.waitMs ?? 0);
    },

    /** The stored secret with this name; stores this one when there is none. */
    async saveSecret(name: string, { keyId, sealed }: Sealed): Promise<Sealed> {
      await prisma.secret.createMany({
        data: [{ name, keyId, sealed: toBytes(sealed) }],
        skipDuplicates: true,
      });
      return await prisma.secret.findUniqueOrThrow({ where: { name } });
    },

    async findSecret(name: string): Promise<Sealed | undefined> {
      return (await prisma.secret.findUnique({ where: { name } })) ?? undefined;
    },

    /** The secrets whose names begin with a prefix. */
    async listSecrets(prefix: string): Promise<StoredSecret[]> {
      return await prisma.secret.findMany({ where: { name: { startsWith: prefix } } });
    },

    async removeSecret(name: string): Promise<void> {
      await prisma.secret.deleteMany({ where: { name } });
    },

    /** Replaces a ciphertext by another one of the same content. */
    async resealSecret(name: string, from: Sealed, to: Sealed): Promise<void> {
      const where = { name, sealed: toBytes(from.sealed) };
      await prisma.secret.updateMany({ where, data: { keyId: to.keyId, sealed: toBytes(to.sealed) } });
    },
  };
}
