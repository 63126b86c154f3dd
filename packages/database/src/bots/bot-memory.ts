import type { PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** A stored secret with its name. */
export type StoredSecret = Sealed & { name: string };

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
