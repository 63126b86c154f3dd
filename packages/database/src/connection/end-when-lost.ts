import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** Fields of pg's clients that its types omit. */
type Internals = { readyForQuery: boolean; processID: number; connection: { stream: Socket } };

/** A statement without a response for this long is looked up at the server. */
const quietMs = 5_000;
const checkIntervalMs = 2_000;
const checkTimeoutMs = 2_000;

/**
 * Ends a connection whose statement the server does not run, so that no response can come. After a partition
 * the kernel repeats a lost packet only when as much time has passed again, gives up after 15 minutes, and Node
 * cannot change that. A limit of time would end long statements, which this function does not.
 */
export function endWhenLost(client: pg.ClientBase, connectionString: string): void {
  const internals = client as unknown as Internals;
  const { stream } = internals.connection;
  const countBytes = () => stream.bytesRead + stream.bytesWritten;
  const ended = new AbortController();
  client.once("end", () => ended.abort());
  async function watch(): Promise<void> {
    let bytes = 0;
    let changedAtMs = 0;
    let misses = 0;
    while (!ended.signal.aborted) {
      await wait(checkIntervalMs, undefined, { ref: false, signal: ended.signal });
      if (internals.readyForQuery || countBytes() !== bytes) {
        bytes = countBytes();
        changedAtMs = performance.now();
        misses = 0;
      } else if (performance.now() - changedAtMs >= quietMs) {
        misses = (await isRunning(connectionString, internals.processID)) ? 0 : misses + 1;
        // The first miss can be a statement whose response is on its way.
        if (misses === 2 && countBytes() === bytes) stream.destroy();
      }
    }
  }
  watch().catch(() => undefined);
}

/** Returns true also when the server does not respond or does not show the state, and behind a pooler. */
async function isRunning(connectionString: string, pid: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: checkTimeoutMs,
    query_timeout: checkTimeoutMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number; state: string | null }>(
      "SELECT pid, state FROM pg_stat_activity WHERE pid IN ($1, pg_backend_pid())",
      [pid],
    );
    // A pooler reports identifiers of its own.
    const isDirect = rows.some((row) => row.pid === (client as unknown as Internals).processID);
    return !isDirect || rows.some((row) => row.pid === pid && !row.state?.startsWith("idle"));
  } catch {
    return true;
  } finally {
    client.end().catch(() => undefined);
  }
}
