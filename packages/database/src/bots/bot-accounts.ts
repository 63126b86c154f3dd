import type { PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** A chat user, as everything here knows people: the platform, and a keyed HMAC of the number there. */
export type PersonId = { platform: string; personKey: string };

/** The chat users' own API keys, encrypted. */
export type BotAccountStore = ReturnType<typeof createBotAccounts>;

export function createBotAccounts(prisma: PrismaClient) {
  return {
    async find({ platform, personKey }: PersonId): Promise<(Sealed & { linkedAt: Date }) | undefined> {
      const where = { platform_personKey: { platform, personKey } };
      return (await prisma.linkedAccount.findUnique({ where })) ?? undefined;
    },

    /** Keeps a key; one that was there is replaced. */
    async put({ platform, personKey }: PersonId, { keyId, sealed }: Sealed, linkedAt: Date): Promise<void> {
      const data = { keyId, sealed: toBytes(sealed), linkedAt };
      const where = { platform_personKey: { platform, personKey } };
      await prisma.linkedAccount.upsert({ where, create: { platform, personKey, ...data }, update: data });
    },

    /** Removes the key; where `sealed` is given, only if it is still that one. False: there was none. */
    async remove({ platform, personKey }: PersonId, sealed?: Uint8Array): Promise<boolean> {
      const where = { platform, personKey, ...(sealed === undefined ? {} : { sealed: toBytes(sealed) }) };
      return (await prisma.linkedAccount.deleteMany({ where })).count > 0;
    },

    /** Those that another key of the vault has sealed, at most 100. */
    async listSealedOtherwise(keyId: string): Promise<(PersonId & Sealed)[]> {
      return await prisma.linkedAccount.findMany({ where: { keyId: { not: keyId } }, take: 100 });
    },

    /** Replaces one sealing by another of the same content. */
    async reseal({ platform, personKey }: PersonId, from: Sealed, to: Sealed): Promise<void> {
      const where = { platform, personKey, sealed: toBytes(from.sealed) };
      await prisma.linkedAccount.updateMany({ where, data: { keyId: to.keyId, sealed: toBytes(to.sealed) } });
    },

    /** Nothing to do: links end when somebody ends them. */
    async collectGarbage(_at: Date): Promise<void> {},
  };
}
