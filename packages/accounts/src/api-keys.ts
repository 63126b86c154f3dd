import { randomInt, randomUUID } from "node:crypto";
import { defaultKeyHasher } from "@better-auth/api-key";
import { apiKeyLimit } from "@koma/contract";
import type { Database, NewApiKeyRow } from "@koma/database";
import type { AuthSource } from "./auth.ts";
import { TooManyKeysError } from "./errors.ts";

/** A key without the key itself. */
export type ApiKeySummary = {
  id: string;
  title: string;
  /** The first characters of the key. */
  start: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
};

/** A key just made; `key` is the key itself, readable this once. */
export type NewApiKey = Omit<ApiKeySummary, "lastUsedAt"> & { key: string };

/** The API keys of users. */
export type ApiKeys = ReturnType<typeof createApiKeys>;

/** A row as better-auth gives it. */
type KeyRow = {
  id: string;
  name: string | null;
  start: string | null;
  createdAt: Date;
  lastRequest: Date | null;
  expiresAt: Date | null;
};

/** A key that is not kept yet: what is told of it, and what the database keeps. */
export type GeneratedKey = { created: NewApiKey; row: NewApiKeyRow };

export function createApiKeys({ auth, database }: { auth: AuthSource; database: Pick<Database, "apiKeys"> }) {
  async function remove(options: { userId: string; id: string }): Promise<boolean> {
    const { adapter } = await auth.get().$context;
    const where = [
      { field: "id", value: options.id },
      { field: "referenceId", value: options.userId },
    ];
    return (await adapter.deleteMany({ model: "apikey", where })) > 0;
  }

  return {
    /** A page of a user's keys, newest first; pages count from 1. */
    async list(options: {
      userId: string;
      page: number;
      pageSize: number;
    }): Promise<{ total: number; items: ApiKeySummary[] }> {
      const { page, pageSize } = options;
      const { adapter } = await auth.get().$context;
      const where = [{ field: "referenceId", value: options.userId }];
      const total = await adapter.count({ model: "apikey", where });
      const first = (page - 1) * pageSize;
      if (first >= total) return { total, items: [] };
      // All of them: of keys made in the same millisecond the database would give any order to any page.
      const rows = await adapter.findMany<KeyRow>({ model: "apikey", where, limit: total });
      rows.sort(byNewest);
      return { total, items: rows.slice(first, first + pageSize).map(toSummary) };
    },

    /** Invents a key, which is good once its row is kept. */
    generate,

    /**
     * Makes a key. A bot's may do what only bots may, and is made by whoever runs Koma, as often as they like. Throws
     * TooManyKeysError.
     */
    async create(options: KeyRequest & { isBot?: boolean | undefined }): Promise<NewApiKey> {
      const { created, row } = await generate(options);
      const result = await database.apiKeys.save(row, options.isBot ? Number.POSITIVE_INFINITY : apiKeyLimit);
      if (result === "too_many") throw new TooManyKeysError();
      if (result === "no_user") throw new Error("A key was to be made for a user who is not there.");
      return created;
    },

    /** Ends one of a user's keys; false when they have none of this id. */
    remove,

    /** Ends the key of a request that was let in with it. */
    async removeCurrent(options: { userId: string; keyId: string }): Promise<void> {
      await remove({ userId: options.userId, id: options.keyId });
    },
  };
}

type KeyRequest = { userId: string; title: string };

async function generate(options: KeyRequest & { isBot?: boolean | undefined }): Promise<GeneratedKey> {
  const { userId, title, isBot = false } = options;
  const key = generateKey();
  const facts = { id: randomUUID(), title, start: key.slice(0, startLength), createdAt: new Date() };
  const permissions = isBot ? JSON.stringify(botPermission) : null;
  return {
    created: { ...facts, expiresAt: null, key },
    row: { ...facts, userId, permissions, hash: await defaultKeyHasher(key) },
  };
}

const startLength = 9;

/** How a key looks: a beginning by which leaked ones are found, then 309 bits. */
export const keyPattern = /^koma_[A-Za-z0-9]{52}$/;

const botPermission = { koma: ["bot"] };

/** Whether a key's permissions, as better-auth keeps them, are a bot's. */
export function isBotPermission(permissions: string | null): boolean {
  return permissions === JSON.stringify(botPermission);
}

/** A new key, from the system's random numbers. */
function generateKey(): string {
  const letters = Array.from({ length: 52 }, () => alphabet[randomInt(alphabet.length)]);
  return `koma_${letters.join("")}`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function byNewest(one: KeyRow, other: KeyRow): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}

function toSummary(row: KeyRow): ApiKeySummary {
  const { id, createdAt, expiresAt, lastRequest } = row;
  return { id, title: row.name ?? "", start: row.start ?? "", createdAt, lastUsedAt: lastRequest, expiresAt };
}
