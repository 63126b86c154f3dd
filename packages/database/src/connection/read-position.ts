import type pg from "pg";
import { createPool } from "./create-pool.ts";

/** For a connection, and for the statement of a check. */
export const checkTimeoutMs = 2_000;

/** A pool of one connection for checks of a server, which give up after 2 s. */
export function openCheckPool(connectionString: string): pg.Pool {
  return createPool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: checkTimeoutMs,
    statement_timeout: checkTimeoutMs,
    query_timeout: checkTimeoutMs,
  });
}

/**
 * The position up to which a server has the write-ahead log, in bytes, and the identifier that a primary shares
 * with its replicas. The primary is accepted too, so a list of all nodes of a cluster survives a failover.
 */
export async function readPosition(pool: pg.Pool): Promise<{ position: number; cluster: string }> {
  const { rows } = await pool.query<{ position: number | null; cluster: string }>(
    `SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
         ELSE pg_current_wal_lsn() END, '0/0')::float8 AS "position",
       (SELECT system_identifier::text FROM pg_control_system()) AS "cluster"`,
  );
  const [row] = rows;
  if (row === undefined || row.position === null) throw new Error("it has no position in the log");
  return { position: row.position, cluster: row.cluster };
}
