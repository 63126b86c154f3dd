import type { PrismaClient } from "./generated/client.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";

/** An API key that is about to be kept: `hash` stands for the key, `permissions` are as better-auth writes them. */
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

/** What became of a new key. */
export type SaveKeyResult = "saved" | "too_many" | "no_user";

/** The making of API keys, in better-auth's table, which reads and ends them. */
export type ApiKeyStore = ReturnType<typeof createApiKeys>;

export function createApiKeys(prisma: PrismaClient) {
  return {
    /** Keeps a new key, unless its user has `limit` of them. The same key again is kept once. */
    async save(key: NewApiKeyRow, limit: number): Promise<SaveKeyResult> {
      return await runTransaction(prisma, (tx) => saveApiKey(tx, key, limit));
    },

    /** Nothing to do: keys end when somebody ends them. */
    async collectGarbage(): Promise<void> {},
  };
}

/** Keeps a new key in a transaction that does more. */
export async function saveApiKey(tx: Transaction, key: NewApiKeyRow, limit: number): Promise<SaveKeyResult> {
  const { id, userId, title, start, hash, permissions, createdAt } = key;
  // Keys of one user are made one after the other, so that they are counted right.
  const users = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "id" = ${userId} FOR NO KEY UPDATE`;
  if (users.length === 0) return "no_user";
  if ((await tx.apikey.findUnique({ where: { id } })) !== null) return "saved";
  if ((await tx.apikey.count({ where: { referenceId: userId } })) >= limit) return "too_many";
  const facts = { name: title, start, key: hash, permissions, createdAt, updatedAt: createdAt };
  await tx.apikey.create({ data: { id, referenceId: userId, rateLimitEnabled: false, ...facts } });
  return "saved";
}
