import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import type { PrismaClient } from "../generated/client.ts";

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
};

/** The result of storing a new key. */
export type SaveKeyResult = "saved" | "too_many" | "no_user";

/** Creates API keys in better-auth's table; better-auth reads and deletes them. */
export type ApiKeyStore = ReturnType<typeof createApiKeys>;

export function createApiKeys(prisma: PrismaClient) {
  return {
    /** Stores a new key, unless its user has `limit` of them. */
    async save(key: NewApiKeyRow, limit: number): Promise<SaveKeyResult> {
      return await runTransaction(prisma, (tx) => saveApiKey(tx, key, limit));
    },
  };
}

/** Stores a new key inside a larger transaction. */
export async function saveApiKey(tx: Transaction, key: NewApiKeyRow, limit: number): Promise<SaveKeyResult> {
  const { id, userId, title, start, hash, permissions, createdAt } = key;
  // The lock makes concurrent calls for one user count each other's keys.
  const users = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "id" = ${userId} FOR NO KEY UPDATE`;
  if (users.length === 0) return "no_user";
  if ((await tx.apikey.count({ where: { referenceId: userId } })) >= limit) return "too_many";
  const facts = { name: title, start, key: hash, permissions, createdAt, updatedAt: createdAt };
  await tx.apikey.create({ data: { id, referenceId: userId, rateLimitEnabled: false, ...facts } });
  return "saved";
}
