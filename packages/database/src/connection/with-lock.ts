import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";

/**
 * Runs work under a named lock that all instances on the same PostgreSQL share; waits for the lock. An open
 * transaction holds it: behind a pooler such as pgbouncer, a lock of the session would stay with a connection
 * that other clients use next.
 */
export async function withLock<Result>(
  pool: pg.Pool,
  lock: { name: string; signal?: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    while (!(await tryLock(client, lock.name))) await wait(500, undefined, { signal: lock.signal });
    return await work();
  } finally {
    await client.query("ROLLBACK").catch(() => undefined);
    client.release(true);
  }
}

async function tryLock(client: pg.PoolClient, name: string): Promise<boolean> {
  await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0");
  const { rows } = await client.query<{ isHeld: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isHeld"`,
    [`koma:${name}`],
  );
  const isHeld = rows[0]?.isHeld === true;
  if (!isHeld) await client.query("ROLLBACK");
  return isHeld;
}
