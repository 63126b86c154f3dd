import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { type ApiKeyStore, createApiKeys } from "./accounts/api-keys.ts";
import { type AuditStore, createAudit } from "./accounts/audit.ts";
import type { AuthAdapter } from "./accounts/auth-adapter.ts";
import { type ChatBlockStore, createChatBlocks } from "./accounts/chat-blocks.ts";
import { createDeviceLinks, type DeviceLinkStore } from "./accounts/device-links.ts";
import { createRateLimits, type RateLimitStore } from "./accounts/rate-limits.ts";
import { createSecurityEvents, type SecurityEventStore } from "./accounts/security-events.ts";
import { createUsers, type UserStore } from "./accounts/users.ts";
import { backUpBeforeMigration } from "./backup/back-up-before-migration.ts";
import { migrate } from "./connection/migrate.ts";
import { migrationFolders } from "./connection/migration-folders.ts";
import { openPool } from "./connection/open-pool.ts";
import { openReplicas, type Reader, type ReplicaStatus, type Replicas } from "./connection/open-replicas.ts";
import { createQuery } from "./connection/query.ts";
import { withLock } from "./connection/with-lock.ts";
import { type CreditStore, createCredits } from "./credits/credits.ts";
import { createPayments, type PaymentStore } from "./credits/payments.ts";
import { createQuota, type QuotaStore } from "./credits/quota.ts";
import { IndexUnavailableError } from "./errors.ts";
import { type FrameIndexStore, openFrameIndexStore } from "./frame-index/frame-index-store.ts";
import { PrismaClient } from "./generated/client.ts";
import { countFreeConnections } from "./inspection/read-server.ts";
import { type AnimeStore, createAnime } from "./library/anime.ts";
import { type CoverStore, createCovers } from "./library/covers.ts";
import { createEpisodes, type EpisodeStore } from "./library/episodes.ts";
import { createLibraryChanges, type LibraryChangeStore } from "./library/library-changes.ts";
import { createLibraryContents, type LibraryContentStore } from "./library/library-contents.ts";
import { createStills, type StillSetStore } from "./library/stills.ts";
import { createIndexQueueStore, type IndexQueueStore } from "./queue/index-queue.ts";
import { createRankings, type RankingStore } from "./rankings/rankings.ts";
import { type CorrectionStore, createCorrections } from "./searches/corrections.ts";
import { createIdempotency, type IdempotencyStore } from "./searches/idempotency.ts";
import { createMissingScenes, type MissingSceneStore } from "./searches/missing-scenes.ts";
import { createSearches, type SearchStore } from "./searches/searches.ts";
import type { SearchAging } from "./searches/searches-aging.ts";
import { createStatistics, type StatisticsStore } from "./statistics.ts";

/** A connected database with its schema up to date. */
export type Database = {
  kind: "embedded" | "postgresql";
  anime: AnimeStore;
  covers: CoverStore;
  episodes: EpisodeStore;
  libraryChanges: LibraryChangeStore;
  libraryContents: LibraryContentStore;
  stills: StillSetStore;
  searches: SearchStore;
  corrections: CorrectionStore;
  missingScenes: MissingSceneStore;
  quota: QuotaStore;
  idempotency: IdempotencyStore;
  rankings: RankingStore;
  users: UserStore;
  apiKeys: ApiKeyStore;
  credits: CreditStore;
  payments: PaymentStore;
  deviceLinks: DeviceLinkStore;
  rateLimits: RateLimitStore;
  chatBlocks: ChatBlockStore;
  audit: AuditStore;
  securityEvents: SecurityEventStore;
  statistics: StatisticsStore;
  indexQueue: IndexQueueStore;
  /** Imports and creates the value of better-auth's option `database`. */
  loadAuthAdapter(): Promise<AuthAdapter>;
  /**
   * Runs work under a named lock that all instances on the same PostgreSQL share; waits for the lock. On the
   * embedded database, which serves one data folder, the work runs without a lock.
   */
  withLock<Result>(
    lock: { name: string; signal?: AbortSignal | undefined },
    work: () => Promise<Result>,
  ): Promise<Result>;
  /**
   * Opens the index of frames in this PostgreSQL for a model. Throws IndexUnavailableError and MigrationError.
   */
  openFrameIndex(model: { id: string; dimensions: number }): Promise<FrameIndexStore>;
  /** The connections of the pool: open, unused, and calls that wait for one. */
  poolStatus(): { total: number; idle: number; waiting: number };
  /** The replicas, in the order of their addresses. */
  replicaStatus(): ReplicaStatus[];
  /** Resolves when the database responds; rejects otherwise. */
  ping(): Promise<void>;
  /** The number of connections that the server still permits, to all processes. */
  countFreeConnections(): Promise<number>;
  /**
   * Deletes expired rows in every store; cheap, meant for start-up and once an hour. `at` (default: now) and
   * `historyDays` apply to the searches, `missingDays` to missing scenes; both are without end by default.
   */
  collectGarbage(aging?: Partial<SearchAging>): Promise<void>;
  /** Closes the connections after the calls in progress; a second call has no effect. */
  close(): Promise<void>;
};

/**
 * Connects to PostgreSQL at `databaseUrl`, or without it to the embedded server under `dataDir`, which is
 * started when it does not run; then applies migrations. Throws DatabaseUnavailableError and MigrationError.
 */
export async function connectDatabase(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** Replicas of the PostgreSQL at `databaseUrl`: for the index of frames and public reads of the library. */
  replicaUrls?: readonly string[] | undefined;
  /** The maximum number of connections; default 5. */
  poolSize?: number | undefined;
  /** Receives messages about slow steps and repairs. */
  onLog?: ((message: string) => void) | undefined;
}): Promise<Database> {
  const { databaseUrl, replicaUrls = [], dataDir, poolSize = 5 } = options;
  const onLog = options.onLog ?? (() => undefined);
  const pool = await openPool({ dataDir, databaseUrl, poolSize, onLog: options.onLog });
  try {
    await backUpBeforeMigration({
      pool,
      dataDir,
      schema: "public",
      isEmbedded: databaseUrl === undefined,
      onLog,
    });
    const applied = await migrate(pool, migrationFolders.public);
    if (applied.length > 0) onLog(`Applied database migrations: ${applied.join(", ")}.`);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const primary = { pool, prisma };
  const replicas =
    databaseUrl === undefined
      ? undefined
      : openReplicas({ primary, primaryUrl: databaseUrl, addresses: replicaUrls, poolSize, onLog });
  return createDatabase(primary, replicas, onLog);
}

function createDatabase(
  { pool, prisma }: { pool: pg.Pool; prisma: PrismaClient },
  replicas: Replicas | undefined,
  onLog: (message: string) => void,
): Database {
  const kind = replicas === undefined ? "embedded" : "postgresql";
  const read: Reader = replicas?.readWith ?? ((work) => work(prisma));
  const query = createQuery(pool, { isPrepared: kind === "embedded" });
  const stores = {
    anime: createAnime(prisma, read),
    covers: createCovers(prisma, read),
    episodes: createEpisodes(prisma, replicas?.read ?? query),
    libraryChanges: createLibraryChanges(prisma),
    libraryContents: createLibraryContents(read),
    stills: createStills(prisma, read),
    searches: createSearches(prisma, query),
    corrections: createCorrections(prisma),
    missingScenes: createMissingScenes(prisma, query),
    quota: createQuota(prisma, query),
    idempotency: createIdempotency(prisma),
    rankings: createRankings(prisma, read),
    users: createUsers(prisma),
    apiKeys: createApiKeys(prisma),
    credits: createCredits(prisma),
    payments: createPayments(prisma),
    deviceLinks: createDeviceLinks(prisma),
    rateLimits: createRateLimits(prisma),
    chatBlocks: createChatBlocks(prisma),
    audit: createAudit(prisma),
    securityEvents: createSecurityEvents(prisma),
    statistics: createStatistics(prisma),
    indexQueue: createIndexQueueStore(prisma),
  };
  let closing: Promise<void> | undefined;
  return {
    kind,
    ...stores,
    async loadAuthAdapter() {
      const { createAuthAdapter } = await import("./accounts/auth-adapter.ts");
      return createAuthAdapter(prisma);
    },
    withLock: async (lock, work) => (kind === "embedded" ? await work() : await withLock(pool, lock, work)),
    async openFrameIndex(model) {
      if (replicas !== undefined) return await openFrameIndexStore(pool, replicas, model, onLog);
      throw new IndexUnavailableError(
        "KOMA_INDEX=postgres needs a PostgreSQL server with pgvector: set DATABASE_URL, or unset KOMA_INDEX.",
      );
    },
    poolStatus: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    replicaStatus: () => replicas?.status() ?? [],
    async ping() {
      await pool.query("SELECT 1");
    },
    countFreeConnections: () => countFreeConnections(pool),
    async collectGarbage(aging = {}) {
      const { at = new Date(), historyDays, missingDays } = aging;
      for (const store of Object.values(stores)) {
        if ("collectGarbage" in store) await store.collectGarbage({ at, historyDays, missingDays });
      }
    },
    close() {
      closing ??= (async () => {
        await prisma.$disconnect();
        await replicas?.close();
        await pool.end();
      })();
      return closing;
    },
  };
}
