import type { PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** A chat user: the platform, and a keyed HMAC of the user's id there. */
export type PersonId = { platform: string; personKey: string };

/** The encrypted API keys of linked chat users. */
export function createBotAccounts(prisma: PrismaClient) {
  return {
    async find({ platform, personKey }: PersonId): Promise<(Sealed & { linkedAt: Date }) | undefined> {
      const where = { platform_personKey: { platform, personKey } };
      return (await prisma.linkedAccount.findUnique({ where })) ?? undefined;
    },

    /** Stores a key and replaces an earlier one. */
    async put({ platform, personKey }: PersonId, { keyId, sealed }: Sealed, linkedAt: Date): Promise<void> {
      const data = { keyId, sealed: toBytes(sealed), linkedAt };
      const where = { platform_personKey: { platform, personKey } };
      await prisma.linkedAccount.upsert({ where, create: { platform, personKey, ...data }, update: data });
    },

    /** Removes the key, with `sealed` only that one. False when there was none. */
    async remove({ platform, personKey }: PersonId, sealed?: Uint8Array): Promise<boolean> {
      const where = { platform, personKey, ...(sealed === undefined ? {} : { sealed: toBytes(sealed) }) };
      return (await prisma.linkedAccount.deleteMany({ where })).count > 0;
    },

    /** At most 100 accounts whose ciphertext was made with another key of the vault. */
    async listSealedOtherwise(keyId: string): Promise<(PersonId & Sealed)[]> {
      return await prisma.linkedAccount.findMany({ where: { keyId: { not: keyId } }, take: 100 });
    },

    /** Replaces a ciphertext by another one of the same content. */
    async reseal({ platform, personKey }: PersonId, from: Sealed, to: Sealed): Promise<void> {
      const where = { platform, personKey, sealed: toBytes(from.sealed) };
      await prisma.linkedAccount.updateMany({ where, data: { keyId: to.keyId, sealed: toBytes(to.sealed) } });
    },
  };
}
