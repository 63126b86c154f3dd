import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";

/**
 * Does work while nobody else on the same PostgreSQL does any under this name; waits for its turn. The lock ends with its
 * connection, however that ends.
 */
export async function withLock<Result>(
  pool: pg.Pool,
  lock: { name: string; signal?: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // A lost connection is met where it is next used.
  client.on("error", () => undefined);
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
