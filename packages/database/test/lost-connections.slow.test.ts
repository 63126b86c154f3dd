import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { isDatabaseUnavailable } from "../src/connection/database-errors.ts";
import { openPool } from "../src/connection/open-pool.ts";

describe("connections to PostgreSQL", () => {
  let network: Awaited<ReturnType<typeof openNetwork>>;
  let pool: pg.Pool;
  beforeAll(async () => {
    network = await openNetwork(inject("testServerUrl"));
    pool = await openPool({ dataDir: tmpdir(), databaseUrl: network.url, poolSize: 2 });
  });
  afterAll(async () => {
    await pool?.end();
    await network?.close();
  });

  test("a statement whose packets are lost ends, and the pool connects again", {
    timeout: 30_000,
  }, async () => {
    const client = await pool.connect();
    await client.query("BEGIN");
    network.loseConnections();
    const error: unknown = await client.query("SELECT 1").catch((reason: unknown) => reason);
    client.release();
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });

  test("a statement that the server runs for long continues", async () => {
    const holder = new pg.Client({ connectionString: inject("testServerUrl") });
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock(1)");
    const waiting = pool.query("SELECT 1 AS one FROM pg_advisory_lock(1)");
    const connected = network.countConnections();
    // Each look at the server is a connection; the second one without the statement would end it.
    await expect
      .poll(() => network.countConnections() - connected, { interval: 100 })
      .toBeGreaterThanOrEqual(3);
    await holder.end();
    expect((await waiting).rows).toEqual([{ one: 1 }]);
  });
});

/** A network to a server, which can lose all later packets of the connections that are open. */
async function openNetwork(serverUrl: string) {
  const { host, port } = new pg.Client({ connectionString: serverUrl });
  let connections = 0;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server: Server = createServer((near) => {
    connections += 1;
    const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    pairs.add([near, far]);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(serverUrl);
  const address = server.address();
  url.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  url.searchParams.delete("host");
  return {
    url: url.href,
    countConnections: () => connections,
    loseConnections(): void {
      for (const pair of pairs) for (const socket of pair) socket.unpipe().resume();
    },
    async close(): Promise<void> {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
