import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import type { Apikey, PrismaClient } from "../generated/client.ts";
import { listPage, type Page } from "../page.ts";
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

/** A stored API key; `revokedAt` of one that was published. */
export type ApiKeyRow = Omit<NewApiKeyRow, "userId" | "hash"> & {
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/** The result of storing a new key. */
export type SaveKeyResult = "saved" | "too_many" | "no_user";

/** A key that is revoked because it was published. */
export type RevokedApiKey = Pick<NewApiKeyRow, "id" | "userId" | "title" | "start" | "permissions">;

/** API keys, in a table with the columns of better-auth's plugin for keys. */
export function createApiKeys(prisma: PrismaClient) {
  return {
    /** The key with this hash, expired or not, unless it or its user is disabled. */
    async findEnabled(
      hash: string,
    ): Promise<
      Pick<ApiKeyRow & NewApiKeyRow, "id" | "userId" | "permissions" | "expiresAt" | "lastUsedAt"> | undefined
    > {
      const [row] = await prisma.$queryRaw<Apikey[]>`
        SELECT k.* FROM "ApiKey" k JOIN "User" u ON u."id" = k."referenceId"
        WHERE k."key" = ${hash} AND k."enabled" IS NOT FALSE AND NOT u."isDisabled"`;
      if (row === undefined) return undefined;
      const { id, referenceId: userId, permissions, expiresAt, lastRequest: lastUsedAt } = row;
      return { id, userId, permissions, expiresAt, lastUsedAt };
    },

    /** Stores when a key was last used. */
    async recordUse(id: string, at: Date): Promise<void> {
      await prisma.apikey.updateMany({ where: { id }, data: { lastRequest: at } });
    },

    /** A page of a user's keys, newest first; pages count from 1. */
    async list(options: Page & { userId: string }): Promise<{ total: number; items: ApiKeyRow[] }> {
      const where = { referenceId: options.userId };
      const { total, rows } = await listPage(prisma.apikey, options, where, (part) =>
        prisma.apikey.findMany({ ...part, orderBy: [{ createdAt: "desc" }, { id: "asc" }] }),
      );
      return { total, items: rows.map(toRow) };
    },

    /** Deletes one of a user's keys; false when the user has no key with this id. */
    async remove({ userId, id }: { userId: string; id: string }): Promise<boolean> {
      return (await prisma.apikey.deleteMany({ where: { id, referenceId: userId } })).count > 0;
    },

    /** Deletes all keys of a user. */
    async removeAll(userId: string): Promise<void> {
      await prisma.apikey.deleteMany({ where: { referenceId: userId } });
    },

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

function toRow(row: Apikey): ApiKeyRow {
  const { id, name, start, permissions, createdAt, expiresAt, lastRequest: lastUsedAt, metadata } = row;
  const revokedAt =
    metadata === null ? null : new Date((JSON.parse(metadata) as { leakedAt: string }).leakedAt);
  return {
    id,
    title: name ?? "",
    start: start ?? "",
    permissions,
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
  };
}
