import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { type AnimeStore, createAnime } from "./anime.ts";
import { type ApiKeyStore, createApiKeys } from "./api-keys.ts";
import { type AttemptStore, createAttempts } from "./attempts.ts";
import { type AuthAdapter, createAuthAdapter } from "./auth-adapter.ts";
import { type ChatBlockStore, createChatBlocks } from "./chat-blocks.ts";
import { type CreditStore, createCredits } from "./credits.ts";
import { createEpisodes, type EpisodeStore } from "./episodes.ts";
import { PrismaClient } from "./generated/client.ts";
import { createIdempotency, type IdempotencyStore } from "./idempotency.ts";
import { createLibraryChanges, type LibraryChangeStore } from "./library-changes.ts";
import { createLinks, type LinkStore } from "./links.ts";
import { migrate } from "./migrate.ts";
import { openPool } from "./open-pool.ts";
import { createOperations, type OperationStore } from "./operations.ts";
import { createPayments, type PaymentStore } from "./payments.ts";
import { createQuota, type QuotaStore } from "./quota.ts";
import { createRankings, type RankingStore } from "./rankings.ts";
import { retry, retryMethods } from "./retry-methods.ts";
import { createSearches, type SearchStore } from "./searches.ts";
import type { SearchAging } from "./searches-aging.ts";
import { createUsers, type UserStore } from "./users.ts";
import { withLock } from "./with-lock.ts";

/** A connected database with its schema up to date. */
export type Database = {
  kind: "embedded" | "postgresql";
  anime: AnimeStore;
  episodes: EpisodeStore;
  libraryChanges: LibraryChangeStore;
  searches: SearchStore;
  quota: QuotaStore;
  idempotency: IdempotencyStore;
  rankings: RankingStore;
  users: UserStore;
  apiKeys: ApiKeyStore;
  credits: CreditStore;
  payments: PaymentStore;
  links: LinkStore;
  attempts: AttemptStore;
  chatBlocks: ChatBlockStore;
  operations: OperationStore;
  /** What better-auth wants as its `database`. */
  authAdapter: AuthAdapter;
  /**
   * Does work while no other instance on the same PostgreSQL does any under this name; waits for its turn. On the embedded
   * database, which one data folder has for itself, at once.
   */
  withLock<Result>(
    lock: { name: string; signal?: AbortSignal | undefined },
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Resolves when the database answers; DatabaseUnavailableError otherwise. */
  ping(): Promise<void>;
  /**
   * Deletes what has expired in every store; cheap, meant for start-up and once an hour. `at` (default: now) and
   * `historyDays` (default: 90) are for the searches.
   */
  collectGarbage(aging?: Partial<SearchAging>): Promise<void>;
  /** Ends the connections; calls in progress end first. Calling it again is harmless. */
  close(): Promise<void>;
};

/**
 * Connects to PostgreSQL at `databaseUrl`, or without one to the embedded server under `dataDir`, which is started
 * when it does not run; then applies migrations. Throws DatabaseUnavailableError and MigrationError.
 */
export async function connectDatabase(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** Connections at most; default 5. */
  poolSize?: number | undefined;
  /** Told in plain sentences what takes time or was repaired. */
  onLog?: ((message: string) => void) | undefined;
}): Promise<Database> {
  const { databaseUrl, dataDir, poolSize = 5 } = options;
  const onLog = options.onLog ?? (() => undefined);
  const pool = await openPool({ dataDir, databaseUrl, poolSize });
  try {
    const applied = await retry(() => migrate(pool, migrationsFolder));
    if (applied.length > 0) onLog(`Database prepared (${applied.join(", ")}).`);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return createDatabase(pool, databaseUrl === undefined ? "embedded" : "postgresql");
}

const migrationsFolder = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));

function createDatabase(pool: pg.Pool, kind: Database["kind"]): Database {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const stores = {
    anime: retryMethods(createAnime(prisma)),
    episodes: retryMethods(createEpisodes(prisma)),
    libraryChanges: retryMethods(createLibraryChanges(prisma)),
    searches: retryMethods(createSearches(prisma)),
    quota: retryMethods(createQuota(prisma)),
    idempotency: retryMethods(createIdempotency(prisma)),
    rankings: retryMethods(createRankings(prisma)),
    users: retryMethods(createUsers(prisma)),
    apiKeys: retryMethods(createApiKeys(prisma)),
    credits: retryMethods(createCredits(prisma)),
    payments: retryMethods(createPayments(prisma)),
    links: retryMethods(createLinks(prisma)),
    attempts: retryMethods(createAttempts(prisma)),
    chatBlocks: retryMethods(createChatBlocks(prisma)),
    operations: retryMethods(createOperations(prisma)),
  };
  let closing: Promise<void> | undefined;
  return {
    kind,
    ...stores,
    authAdapter: createAuthAdapter(prisma),
    withLock: async (lock, work) => (kind === "embedded" ? await work() : await withLock(pool, lock, work)),
    async ping() {
      await retry(() => pool.query("SELECT 1"));
    },
    async collectGarbage(aging = {}) {
      const { at = new Date(), historyDays = 90 } = aging;
      for (const store of Object.values(stores)) await store.collectGarbage({ at, historyDays });
    },
    close() {
      closing ??= prisma.$disconnect().then(() => pool.end());
      return closing;
    },
  };
}
