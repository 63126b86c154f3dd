import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { ServerFolder } from "./server-folder.ts";

/** The line in the log of PostgreSQL by which a client asks server.ts to end it right after its last client. */
export const endRequest = "koma: end after the last client";

/**
 * Ends the connections of a pool. If no other process has one, PostgreSQL ends too, and this resolves afterwards: a
 * service manager or the end of a container kills what outlives the process.
 */
export async function endWithServer(
  pool: pg.Pool,
  serverFolder: ServerFolder,
  endPool: () => Promise<void>,
): Promise<void> {
  const isEnding = await askToEnd(pool).catch(() => false);
  await endPool();
  const lockFile = path.join(serverFolder.dataFolder, "postmaster.pid");
  const deadlineMs = performance.now() + waitLimitMs;
  // PostgreSQL removes the file as its last step, after the checkpoint.
  while (isEnding && existsSync(lockFile) && performance.now() < deadlineMs) await pause(pauseMs);
}

const waitLimitMs = 10_000;
const pauseMs = 10;

/** Returns false when other processes have connections, or when the server has closed all of this one. */
async function askToEnd(pool: pg.Pool): Promise<boolean> {
  // A query would start a server that has ended already.
  if (pool.totalCount === 0) return false;
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  if ((rows[0]?.count ?? 0) > pool.totalCount) return false;
  await pool.query(`DO $$ BEGIN RAISE LOG '${endRequest}'; END $$`);
  return true;
}
