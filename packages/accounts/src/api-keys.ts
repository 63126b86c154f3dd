import { randomInt, randomUUID } from "node:crypto";
import { defaultKeyHasher } from "@better-auth/api-key";
import { ApiKeyScope, apiKeyLimit } from "@koma/contract";
import type { Database, NewApiKeyRow } from "@koma/database";
import type { AuthSource } from "./auth.ts";
import { TooManyKeysError } from "./errors.ts";
import type { LeakReport } from "./leak-report.ts";

/** The data of an API key without the key itself. */
export type ApiKeySummary = {
  id: string;
  title: string;
  /** The first characters of the key. */
  start: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  scopes: readonly ApiKeyScope[];
  /** When the key was revoked because it was published; null while it is valid. */
  revokedAt: Date | null;
};

/** A new key; `key` is the key itself, which is not stored and cannot be read again. */
export type NewApiKey = Omit<ApiKeySummary, "lastUsedAt" | "revokedAt"> & { key: string };

/** The API keys of users. */
export type ApiKeys = ReturnType<typeof createApiKeys>;

/** A row of better-auth's table. */
type KeyRow = {
  id: string;
  name: string | null;
  start: string | null;
  createdAt: Date;
  lastRequest: Date | null;
  expiresAt: Date | null;
  permissions: string | null;
  /** Of a key that was published. */
  metadata: { leakedAt: string | Date } | null;
};

/** A generated key that is not stored yet: its public data and its row. */
export type GeneratedKey = { created: NewApiKey; row: NewApiKeyRow };

export function createApiKeys(options: {
  auth: AuthSource;
  database: Pick<Database, "apiKeys">;
  /** Reports a revoked key to its owner or the operator. */
  reportLeak: LeakReport;
  now: () => Date;
}) {
  const { auth, database } = options;

  async function remove({ userId, id }: { userId: string; id: string }): Promise<boolean> {
    const { adapter } = await auth.get().$context;
    const where = [
      { field: "id", value: id },
      { field: "referenceId", value: userId },
    ];
    return (await adapter.deleteMany({ model: "apikey", where })) > 0;
  }

  return {
    /** A page of a user's keys, newest first; pages count from 1. */
    async list(request: {
      userId: string;
      page: number;
      pageSize: number;
    }): Promise<{ total: number; items: ApiKeySummary[] }> {
      const { userId, page, pageSize } = request;
      const { adapter } = await auth.get().$context;
      const where = [{ field: "referenceId", value: userId }];
      const total = await adapter.count({ model: "apikey", where });
      const first = (page - 1) * pageSize;
      if (first >= total) return { total, items: [] };
      // Reads all keys, because the order of keys of the same millisecond would differ between pages.
      const rows = await adapter.findMany<KeyRow>({ model: "apikey", where, limit: total });
      rows.sort(byNewest);
      return { total, items: rows.slice(first, first + pageSize).map(toSummary) };
    },

    /** Generates a key, which is valid once its row is stored. */
    generate: (request: KeyRequest) => generate(request, options.now()),

    /**
     * Creates a key. A bot's key has the bots' permission, and the operator can create any number of them.
     * Throws TooManyKeysError.
     */
    async create(request: KeyRequest & { isBot?: boolean | undefined }): Promise<NewApiKey> {
      const { created, row } = await generate(request, options.now());
      const result = await database.apiKeys.save(row, request.isBot ? Number.POSITIVE_INFINITY : apiKeyLimit);
      if (result === "too_many") throw new TooManyKeysError();
      if (result === "no_user") throw new Error("The user of the new key does not exist.");
      return created;
    },

    /** Revokes one of a user's keys; false when the user has no key with this id. */
    remove,

    /** Revokes the key that authenticated a request. */
    async removeCurrent({ userId, keyId }: { userId: string; keyId: string }): Promise<void> {
      await remove({ userId, id: keyId });
    },

    /**
     * Revokes a key that a bot found in a public message, and notifies its owner. The key stays in its
     * owner's list. A key that is unknown or already revoked has no effect, so that a repetition has none.
     */
    async revokeLeaked({ key, foundBy }: { key: string; foundBy: string }): Promise<void> {
      const leaked = { hash: await defaultKeyHasher(key), actor: `user:${foundBy}`, at: options.now() };
      const revoked = await database.apiKeys.revokeLeaked(leaked);
      if (revoked === undefined) return;
      options.reportLeak({ ...revoked, isBot: isBotPermission(revoked.permissions) });
    },
  };
}

/** Without days the key does not expire, and without scopes it has all of them. */
type KeyRequest = {
  userId: string;
  title: string;
  expiresInDays?: number | undefined;
  scopes?: readonly ApiKeyScope[] | undefined;
};

async function generate(
  request: KeyRequest & { isBot?: boolean | undefined },
  createdAt: Date,
): Promise<GeneratedKey> {
  const { userId, title, expiresInDays, scopes, isBot = false } = request;
  const key = generateKey();
  const expiresAt =
    expiresInDays === undefined ? null : new Date(createdAt.getTime() + expiresInDays * dayMs);
  const facts = { id: randomUUID(), title, start: key.slice(0, startLength), createdAt, expiresAt };
  const permissions = isBot ? JSON.stringify(botPermission) : writeScopes(scopes);
  return {
    created: { ...facts, scopes: readScopes(permissions), key },
    row: { ...facts, userId, permissions, hash: await defaultKeyHasher(key) },
  };
}

const dayMs = 24 * 60 * 60 * 1000;

const startLength = 9;

/** The format of a key: a prefix by which scanners find leaked keys, then 309 random bits. */
export const keyPattern = /^koma_[A-Za-z0-9]{52}$/;

const botPermission = { koma: ["bot"] };

/** Whether a key's permissions, as better-auth stores them, are those of a bot. */
export function isBotPermission(permissions: string | null): boolean {
  return permissions === JSON.stringify(botPermission);
}

/** The scopes as better-auth stores permissions; null for all, also for those that are added later. */
function writeScopes(scopes: readonly ApiKeyScope[] | undefined): string | null {
  return scopes === undefined ? null : JSON.stringify({ koma: [...new Set(scopes)] });
}

/** The scopes of a key with these permissions. */
export function readScopes(permissions: string | null): readonly ApiKeyScope[] {
  if (permissions === null || isBotPermission(permissions)) return ApiKeyScope.options;
  const { koma } = JSON.parse(permissions) as { koma?: readonly unknown[] };
  return ApiKeyScope.options.filter((scope) => koma?.includes(scope));
}

/** A new key from a cryptographic random number generator. */
function generateKey(): string {
  const letters = Array.from({ length: 52 }, () => alphabet[randomInt(alphabet.length)]);
  return `koma_${letters.join("")}`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function byNewest(one: KeyRow, other: KeyRow): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}

function toSummary(row: KeyRow): ApiKeySummary {
  const { id, name, start, createdAt, expiresAt, lastRequest: lastUsedAt, permissions, metadata } = row;
  const revokedAt = metadata === null ? null : new Date(metadata.leakedAt);
  const scopes = readScopes(permissions);
  return { id, title: name ?? "", start: start ?? "", createdAt, lastUsedAt, expiresAt, scopes, revokedAt };
}
