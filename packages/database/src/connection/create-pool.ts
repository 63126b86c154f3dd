import pg from "pg";

/**
 * Creates a pool whose lost connections do not end the process: the pool removes an idle one, and the next
 * query of one in use reports its loss.
 */
export function createPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

/** The loss of a connection that waits is noticed after 20 s: Node sends ten packets, one a second. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
