import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import type { PrismaClient } from "../generated/client.ts";
import { recordAudit } from "./audit.ts";

/** An API key to be stored: `hash` identifies the key, `permissions` have better-auth's form. */
export type NewApiKeyRow = {
  id: string;
  userId: string;
  title: string;
  /** The first characters of the key. */
  start: string;
  hash: string;
  permissions: string | null;
  createdAt: Date;
  expiresAt: Date | null;
};

/** The result of storing a new key. */
export type SaveKeyResult = "saved" | "too_many" | "no_user";

/** A key that is revoked because it was published. */
export type RevokedApiKey = Pick<NewApiKeyRow, "id" | "userId" | "title" | "start" | "permissions">;

/** Creates and revokes API keys in better-auth's table; better-auth reads and deletes them. */
export type ApiKeyStore = ReturnType<typeof createApiKeys>;

export function createApiKeys(prisma: PrismaClient) {
  return {
    /** Stores a new key, unless its user has `limit` of them. */
    async save(key: NewApiKeyRow, limit: number): Promise<SaveKeyResult> {
      return await runTransaction(prisma, (tx) => saveApiKey(tx, key, limit));
    },

    /**
     * Disables the valid key with this hash because it was published, and records it in the audit log. Its
     * owner can still list it. Undefined when there is no such key or it is already disabled.
     */
    async revokeLeaked(options: {
      hash: string;
      actor: string;
      at: Date;
    }): Promise<RevokedApiKey | undefined> {
      const { hash, actor, at } = options;
      return await runTransaction(prisma, async (tx) => {
        const [row] = await tx.apikey.updateManyAndReturn({
          where: { key: hash, OR: [{ enabled: true }, { enabled: null }] },
          data: { enabled: false, updatedAt: at, metadata: JSON.stringify({ leakedAt: at }) },
        });
        if (row === undefined) return undefined;
        const { id, referenceId: userId, name, start, permissions } = row;
        const details = { user: userId };
        await recordAudit(tx, { actor, action: "key.revoke-leaked", target: `key:${id}`, details });
        return { id, userId, title: name ?? "", start: start ?? "", permissions };
      });
    },
  };
}

/** Stores a new key inside a larger transaction. */
export async function saveApiKey(tx: Transaction, key: NewApiKeyRow, limit: number): Promise<SaveKeyResult> {
  const { id, userId, title, start, hash, permissions, createdAt, expiresAt } = key;
  // The lock makes concurrent calls for one user count each other's keys.
  const users = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "id" = ${userId} FOR NO KEY UPDATE`;
  if (users.length === 0) return "no_user";
  if ((await tx.apikey.count({ where: { referenceId: userId } })) >= limit) return "too_many";
  const facts = { name: title, start, key: hash, permissions, createdAt, updatedAt: createdAt, expiresAt };
  await tx.apikey.create({ data: { id, referenceId: userId, rateLimitEnabled: false, ...facts } });
  return "saved";
}
