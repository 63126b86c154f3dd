import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";

/**
 * Runs work under a named lock that all instances on the same PostgreSQL share; waits for the lock. The
 * connection holds the lock.
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
    client.release(true);
  }
}

async function tryLock(client: pg.PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ isHeld: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isHeld"`,
    [`koma:${name}`],
  );
  return rows[0]?.isHeld === true;
}
