import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { createApiKeys } from "./accounts/api-keys.ts";
import { createAudit } from "./accounts/audit.ts";
import type { AuthAdapter } from "./accounts/auth-adapter.ts";
import { createChatBlocks } from "./accounts/chat-blocks.ts";
import { createDeviceLinks } from "./accounts/device-links.ts";
import { createRateLimits } from "./accounts/rate-limits.ts";
import { createSecurityEvents } from "./accounts/security-events.ts";
import { createUsers } from "./accounts/users.ts";
import { backUpBeforeMigration, type ShowProgress } from "./backup/back-up-before-migration.ts";
import { migrate } from "./connection/migrate.ts";
import { migrationFolders } from "./connection/migration-folders.ts";
import { openPool } from "./connection/open-pool.ts";
import { openReplicas, type Reader, type ReplicaStatus, type Replicas } from "./connection/open-replicas.ts";
import { createQuery } from "./connection/query.ts";
import { withLock } from "./connection/with-lock.ts";
import { createCredits } from "./credits/credits.ts";
import { createPayments } from "./credits/payments.ts";
import { createQuota } from "./credits/quota.ts";
import { IndexUnavailableError } from "./errors.ts";
import { type FrameIndexStore, openFrameIndexStore } from "./frame-index/frame-index-store.ts";
import { PrismaClient } from "./generated/client.ts";
import { countFreeConnections } from "./inspection/read-server.ts";
import { createAnime } from "./library/anime.ts";
import { createCovers } from "./library/covers.ts";
import { createEpisodes } from "./library/episodes.ts";
import { createLibraryChanges } from "./library/library-changes.ts";
import { createLibraryContents } from "./library/library-contents.ts";
import { createStills } from "./library/stills.ts";
import { createIndexQueueStore } from "./queue/index-queue.ts";
import { createRankings } from "./rankings/rankings.ts";
import { createCorrections } from "./searches/corrections.ts";
import { createIdempotency } from "./searches/idempotency.ts";
import { createMissingScenes } from "./searches/missing-scenes.ts";
import { createSearches } from "./searches/searches.ts";
import type { SearchAging } from "./searches/searches-aging.ts";
import { createStatistics } from "./statistics.ts";

/** A connected database with its schema up to date. */
export type Database = ReturnType<typeof createDatabase>;

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
  /** Ends the backup before migrations, which takes minutes for a large embedded database. */
  signal?: AbortSignal | undefined;
  /** Shows the progress of that backup. */
  showBackup?: ShowProgress | undefined;
  /**
   * Closing ends the embedded server too, unless other processes use it, and waits for its end: for services, whose
   * managers kill what outlives them. Default: only for the first process of a container.
   */
  endsServer?: boolean | undefined;
}): Promise<Database> {
  const { databaseUrl, replicaUrls = [], dataDir, poolSize = 5 } = options;
  const onLog = options.onLog ?? (() => undefined);
  const { endsServer } = options;
  const pool = await openPool({ dataDir, databaseUrl, poolSize, onLog: options.onLog, endsServer });
  try {
    await backUpBeforeMigration({
      pool,
      dataDir,
      schema: "public",
      isEmbedded: databaseUrl === undefined,
      onLog,
      signal: options.signal,
      showProgress: options.showBackup,
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
) {
  const kind = replicas === undefined ? ("embedded" as const) : ("postgresql" as const);
  const read: Reader = replicas?.readWith ?? ((work) => work(prisma));
  const query = createQuery(pool, { isPrepared: kind === "embedded" });
  const stores = {
    anime: createAnime(prisma, read),
    covers: createCovers(prisma, read),
    episodes: createEpisodes(prisma, query, replicas?.read ?? query),
    libraryChanges: createLibraryChanges(prisma, query),
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
    /** Imports and creates the value of better-auth's option `database`. */
    async loadAuthAdapter(): Promise<AuthAdapter> {
      const { createAuthAdapter } = await import("./accounts/auth-adapter.ts");
      return createAuthAdapter(prisma);
    },
    /**
     * Runs work under a named lock that all instances on the same PostgreSQL share; waits for the lock. On the
     * embedded database, which serves one data folder, the work runs without a lock.
     */
    withLock: async <Result>(
      lock: { name: string; signal?: AbortSignal | undefined },
      work: () => Promise<Result>,
    ): Promise<Result> => (kind === "embedded" ? await work() : await withLock(pool, lock, work)),
    /** Opens the index of frames in this PostgreSQL for a model. Throws IndexUnavailableError and MigrationError. */
    async openFrameIndex(model: { id: string; dimensions: number }): Promise<FrameIndexStore> {
      if (replicas !== undefined) return await openFrameIndexStore(pool, replicas, model, onLog);
      throw new IndexUnavailableError(
        "KOMA_INDEX=postgres needs a PostgreSQL server with pgvector: set DATABASE_URL, or unset KOMA_INDEX.",
      );
    },
    /** The connections of the pool: open, unused, and calls that wait for one. */
    poolStatus: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    /** The replicas, in the order of their addresses. */
    replicaStatus: (): ReplicaStatus[] => replicas?.status() ?? [],
    /** Resolves when the database responds; rejects otherwise. */
    async ping(): Promise<void> {
      await pool.query("SELECT 1");
    },
    /** The number of connections that the server still permits, to all processes. */
    countFreeConnections: () => countFreeConnections(pool),
    /**
     * Deletes expired rows in every store; cheap, meant for start-up and once an hour. `at` (default: now) and
     * `historyDays` apply to the searches, `missingDays` to missing scenes; both are without end by default.
     */
    async collectGarbage(aging: Partial<SearchAging> = {}): Promise<void> {
      const { at = new Date(), historyDays, missingDays } = aging;
      for (const store of Object.values(stores)) {
        if ("collectGarbage" in store) await store.collectGarbage({ at, historyDays, missingDays });
      }
    },
    /** Closes the connections after the calls in progress; a second call has no effect. */
    close(): Promise<void> {
      closing ??= (async () => {
        await prisma.$disconnect();
        await replicas?.close();
        await pool.end();
      })();
      return closing;
    },
  };
}
