import type pg from "pg";

/** Properties of a database server. */
export type Server = {
  /** For example `15.14 (Debian 15.14-0+deb12u1)`. */
  version: string;
  sizeBytes: number;
  /** The clock of the server minus the clock of this process, to half the time of a query. */
  clockOffsetMs: number;
  /** Settings that protect acknowledged writes: `fsync`, `full_page_writes` and `synchronous_commit`. */
  durability: { [setting: string]: string };
  /** Connections that can still be opened without the superuser. */
  freeConnections: number;
  memory: {
    /** `shared_buffers` */
    sharedBytes: number;
    /** `effective_cache_size`, undefined if it has its default: the memory that caches tables and indexes. */
    cacheBytes: number | undefined;
  };
};

export async function readServer(pool: pg.Pool): Promise<Server> {
  // The first query also opens the connection, so it cannot time the clock.
  const { rows } = await pool.query<Row>(`
    SELECT current_setting('server_version') AS "version",
      pg_database_size(current_database())::text AS "sizeBytes",
      current_setting('fsync') AS "fsync",
      current_setting('full_page_writes') AS "fullPageWrites",
      current_setting('synchronous_commit') AS "synchronousCommit",
      pg_size_bytes(current_setting('shared_buffers'))::text AS "sharedBytes",
      (SELECT pg_size_bytes(current_setting('effective_cache_size'))::text FROM pg_settings
        WHERE "name" = 'effective_cache_size' AND "source" <> 'default') AS "cacheBytes",
      ${freeConnections} AS "freeConnections"`);
  const [row] = rows;
  if (row === undefined) throw new Error("The server returned no settings.");
  return {
    version: row.version,
    sizeBytes: Number(row.sizeBytes),
    clockOffsetMs: await readClockOffset(pool),
    durability: {
      fsync: row.fsync,
      full_page_writes: row.fullPageWrites,
      synchronous_commit: row.synchronousCommit,
    },
    freeConnections: row.freeConnections,
    memory: {
      sharedBytes: Number(row.sharedBytes),
      cacheBytes: row.cacheBytes === null ? undefined : Number(row.cacheBytes),
    },
  };
}

/** The number of connections that the server still permits without the superuser. */
export async function countFreeConnections(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ free: number }>(`SELECT ${freeConnections} AS "free"`);
  return rows[0]?.free ?? 0;
}

const freeConnections = `current_setting('max_connections')::int
  - current_setting('superuser_reserved_connections')::int
  - (SELECT sum(numbackends)::int FROM pg_stat_database)`;

type Row = {
  version: string;
  sizeBytes: string;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  freeConnections: number;
  sharedBytes: string;
  cacheBytes: string | null;
};

async function readClockOffset(pool: pg.Pool): Promise<number> {
  const before = Date.now();
  const { rows } = await pool.query<{ nowMs: string }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS "nowMs"`,
  );
  return Number(rows[0]?.nowMs) - (before + Date.now()) / 2;
}
