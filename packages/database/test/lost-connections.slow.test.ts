import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pRetry from "p-retry";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openBotStore } from "../src/bots/open-bot-store.ts";
import { connectDatabase } from "../src/connect-database.ts";
import { isDatabaseUnavailable } from "../src/connection/database-errors.ts";
import { openPool } from "../src/connection/open-pool.ts";
import { createEmptyDatabase, type TestDatabaseAddress } from "./testing/databases.ts";

const pgbouncer = "/usr/sbin/pgbouncer";

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

describe.skipIf(!existsSync(pgbouncer))("behind pgbouncer that pools transactions (needs pgbouncer)", () => {
  let network: Awaited<ReturnType<typeof openNetwork>>;
  let pooler: Awaited<ReturnType<typeof openPooler>>;
  let empty: TestDatabaseAddress;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
    network = await openNetwork(empty.url);
    pooler = await openPooler(network.url);
  });
  afterAll(async () => {
    await pooler?.close();
    await network?.close();
    await empty?.remove();
  });

  test("the bots change no role of connections that other clients use next", async () => {
    const logs: string[] = [];
    const options = {
      dataDir: tmpdir(),
      databaseUrl: pooler.url,
      onLog: (line: string) => void logs.push(line),
    };
    const database = await connectDatabase(options);
    const bots = await openBotStore(options);
    const clients = new pg.Pool({ connectionString: pooler.url });
    const roles = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { rows } = await clients.query("SELECT current_user = session_user AS own");
        return rows[0].own;
      }),
    );
    expect(new Set(roles)).toEqual(new Set([true]));
    expect(logs).toContainEqual(expect.stringContaining("DATABASE_URL leads to a pooler"));
    await clients.end();
    await bots.close();
    await database.close();
  });

  test("locks exclude each other and end with their work", async () => {
    const database = await connectDatabase({ dataDir: tmpdir(), databaseUrl: pooler.url });
    let running = 0;
    const counts = await Promise.all(
      [1, 2, 3].map(() =>
        database.withLock({ name: "test" }, async () => {
          running += 1;
          const count = running;
          await database.ping();
          running -= 1;
          return count;
        }),
      ),
    );
    expect(counts).toEqual([1, 1, 1]);
    await database.close();
  });
});

/** A pgbouncer with the settings of its package, except that it pools transactions. */
async function openPooler(serverUrl: string) {
  const { host, port, user, database } = new pg.Client({ connectionString: serverUrl });
  const folder = await mkdtemp(join(tmpdir(), "koma-pooler-"));
  await chmod(folder, 0o755);
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
  const address = free.address();
  const own = typeof address === "object" ? address?.port : 0;
  await new Promise((resolve) => free.close(resolve));
  const settings = [
    "[databases]",
    `koma = host=${host} port=${port} dbname=${database} user=${user}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${own}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 3",
  ];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings.join("\n"));
  // It does not run as root.
  const account = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(pgbouncer, [...account, file], { stdio: "ignore" });
  const url = `postgresql://${user}@127.0.0.1:${own}/koma`;
  // It listens some time after its start.
  const connected = await pRetry(() => openPool({ dataDir: tmpdir(), databaseUrl: url, poolSize: 1 }), {
    factor: 1,
    minTimeout: 100,
    retries: 300,
  });
  await connected.end();
  return {
    url,
    async close(): Promise<void> {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

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
