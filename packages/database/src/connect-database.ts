import type { AnimeStore } from "./anime.ts";
import type { EpisodeStore } from "./episodes.ts";
import type { IdempotencyStore } from "./idempotency.ts";
import type { LibraryChangeStore } from "./library-changes.ts";
import type { QuotaStore } from "./quota.ts";
import type { SearchStore } from "./searches.ts";

/** A connected database with its schema up to date. */
export type Database = {
  kind: "embedded" | "postgresql";
  anime: AnimeStore;
  episodes: EpisodeStore;
  libraryChanges: LibraryChangeStore;
  searches: SearchStore;
  quota: QuotaStore;
  idempotency: IdempotencyStore;
  /** Resolves when the database answers; DatabaseUnavailableError otherwise. */
  ping(): Promise<void>;
  /** Deletes what has expired in every store; cheap, meant for start-up and once an hour. */
  collectGarbage(): Promise<void>;
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
  poolSize?: number;
  /** Told in plain sentences what takes time or was repaired. */
  onNotice?: (message: string) => void;
}): Promise<Database> {
  throw new Error(`not written ${options.dataDir}`);
}
