import { createHash, randomInt, randomUUID } from "node:crypto";
import { ApiKeyScope, apiKeyLimit } from "@koma/contract";
import type { ApiKeyRow, Database, NewApiKeyRow, Page } from "@koma/database";
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

/** A generated key that is not stored yet: its public data and its row. */
export type GeneratedKey = { created: NewApiKey; row: NewApiKeyRow };

export function createApiKeys(options: {
  database: Pick<Database, "apiKeys">;
  /** Reports a revoked key to its owner or the operator. */
  reportLeak: LeakReport;
  now: () => Date;
}) {
  const { database } = options;

  return {
    /** A page of a user's keys, newest first; pages count from 1. */
    async list(request: Page & { userId: string }): Promise<{ total: number; items: ApiKeySummary[] }> {
      const { total, items } = await database.apiKeys.list(request);
      return { total, items: items.map(toSummary) };
    },

    /** Generates a key, which is valid once its row is stored. */
    generate: async (request: KeyRequest) => generate(request, options.now()),

    /**
     * Creates a key. A bot's key has the bots' permission, and the operator can create any number of them.
     * Throws TooManyKeysError.
     */
    async create(request: KeyRequest & { isBot?: boolean | undefined }): Promise<NewApiKey> {
      const { created, row } = generate(request, options.now());
      const result = await database.apiKeys.save(row, request.isBot ? Number.POSITIVE_INFINITY : apiKeyLimit);
      if (result === "too_many") throw new TooManyKeysError();
      if (result === "no_user") throw new Error("The user of the new key does not exist.");
      return created;
    },

    /** Revokes one of a user's keys; false when the user has no key with this id. */
    remove: (key: { userId: string; id: string }): Promise<boolean> => database.apiKeys.remove(key),

    /** Revokes the key that authenticated a request. */
    async removeCurrent({ userId, keyId }: { userId: string; keyId: string }): Promise<void> {
      await database.apiKeys.remove({ userId, id: keyId });
    },

    /**
     * Revokes a key that a bot found in a public message, and notifies its owner. The key stays in its
     * owner's list. A key that is unknown or already revoked has no effect, so that a repetition has none.
     */
    async revokeLeaked({ key, foundBy }: { key: string; foundBy: string }): Promise<void> {
      const leaked = { hash: hashKey(key), actor: `user:${foundBy}`, at: options.now() };
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

function generate(request: KeyRequest & { isBot?: boolean | undefined }, createdAt: Date): GeneratedKey {
  const { userId, title, expiresInDays, scopes, isBot = false } = request;
  const key = generateKey();
  const expiresAt =
    expiresInDays === undefined ? null : new Date(createdAt.getTime() + expiresInDays * dayMs);
  const facts = { id: randomUUID(), title, start: key.slice(0, startLength), createdAt, expiresAt };
  const permissions = isBot ? JSON.stringify(botPermission) : writeScopes(scopes);
  return {
    created: { ...facts, scopes: readScopes(permissions), key },
    row: { ...facts, userId, permissions, hash: hashKey(key) },
  };
}

/** What is stored of a key, in the form of better-auth's plugin for keys, which stored the first ones. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
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

function toSummary({ permissions, ...facts }: ApiKeyRow): ApiKeySummary {
  return { ...facts, scopes: readScopes(permissions) };
}
