import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { connectDatabase, type Database } from "../src/connect-database.ts";
import { isDatabaseUnavailable } from "../src/connection/database-errors.ts";
import { openReplicas, type Replicas } from "../src/connection/open-replicas.ts";
import { PrismaClient } from "../src/generated/client.ts";
import { inspectReplicas } from "../src/inspection/inspect-replicas.ts";
import { makeEpisode, publishEpisode } from "./make-episode.ts";
import { startReplication } from "./testing/start-replication.ts";

/** Longer than the limit of the lag and a check, shorter than twice the limit. */
const poll = { timeout: 18_000, interval: 100 };

describe("reads of replicas", () => {
  let cluster: Awaited<ReturnType<typeof startReplication>>;
  let primary: pg.Pool;
  let prisma: PrismaClient;
  let replicas: Replicas;
  const messages: string[] = [];

  beforeAll(async () => {
    cluster = await startReplication(2);
    primary = new pg.Pool({ connectionString: cluster.primary.url });
    primary.on("error", () => undefined);
    prisma = new PrismaClient({ adapter: new PrismaPg(primary) });
    await primary.query("CREATE TABLE item (id integer)");
    replicas = open(cluster.replicas.map(({ url }) => url));
  });
  afterAll(async () => {
    await replicas?.close();
    await prisma?.$disconnect();
    await primary?.end();
    await cluster?.remove();
  });

  function open(addresses: string[]): Replicas {
    const onLog = (message: string) => void messages.push(message);
    const source = { pool: primary, prisma };
    return openReplicas({
      primary: source,
      primaryUrl: cluster.primary.url,
      addresses,
      poolSize: 3,
      onLog,
    });
  }

  /** Returns the ports of the servers that ran four reads: 5432 is the primary. */
  async function readPorts(from = replicas): Promise<string[]> {
    const ports = new Set<string>();
    for (let count = 0; count < 4; count++) {
      const rows = await from.read<{ port: string }>("SELECT current_setting('port') AS port", []);
      for (const { port } of rows) ports.add(port);
    }
    return [...ports].sort();
  }

  const waitForPorts = (...ports: string[]) =>
    vi.waitFor(async () => expect(await readPorts()).toEqual(ports), poll);

  async function runOn(url: string | undefined, sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  test("replicas run the reads in turn, with the rows of the primary", async () => {
    await waitForPorts("5433", "5434");
    await primary.query("INSERT INTO item VALUES (1)");
    await vi.waitFor(async () => {
      for (let count = 0; count < 2; count++)
        expect(await replicas.read("SELECT id FROM item", [])).toEqual([{ id: 1 }]);
    }, poll);
    expect(replicas.status()).toEqual([
      { isAvailable: true, lagSeconds: expect.any(Number) },
      { isAvailable: true, lagSeconds: expect.any(Number) },
    ]);
  });

  test("a read that replicas reject runs on the primary, and they remain in use", async () => {
    const rows = await replicas.read("SELECT 2 / (NOT pg_is_in_recovery())::int AS id", []);
    expect(rows).toEqual([{ id: 2 }]);
    expect(await readPorts()).toEqual(["5433", "5434"]);
    await expect(replicas.read("SELECT missing", [])).rejects.toMatchObject({ code: "42703" });
  });

  test("a replica with a paused recovery is skipped, and used again afterwards", async () => {
    const [paused] = cluster.replicas;
    await runOn(paused?.url, "SELECT pg_wal_replay_pause()");
    // An idle primary causes no lag.
    expect(await readPorts()).toEqual(["5433", "5434"]);
    await primary.query("INSERT INTO item VALUES (3)");
    await waitForPorts("5434");
    expect(messages).toContainEqual(
      expect.stringMatching(/^Replica 1 .* skipped: it is more than 10 s behind/),
    );
    await runOn(paused?.url, "SELECT pg_wal_replay_resume()");
    await waitForPorts("5433", "5434");
    expect(messages).toContainEqual("Replica 1 of the database is used again.");
  });

  test("reads continue without stopped replicas, and return to restarted ones", async () => {
    const [one, other] = cluster.replicas;
    await one?.stop();
    expect(await readPorts()).toEqual(["5434"]);
    await other?.stop();
    expect(await readPorts()).toEqual(["5432"]);
    expect(replicas.status().map(({ isAvailable }) => isAvailable)).toEqual([false, false]);
    await one?.start();
    await other?.start();
    await waitForPorts("5433", "5434");
  });

  test("an unused server, another database and no addresses leave all reads on the primary", async () => {
    const none = open([]);
    expect(await readPorts(none)).toEqual(["5432"]);
    await none.close();
    const unknown = open(["postgresql://postgres@localhost:5499/postgres?host=/nowhere"]);
    await vi.waitFor(
      () => expect(messages).toContainEqual(expect.stringMatching(/^Replica 1 .*ENOENT/)),
      poll,
    );
    expect(await readPorts(unknown)).toEqual(["5432"]);
    await unknown.close();
  });

  test("a server of another cluster is skipped, and named so", async () => {
    const foreignUrl = inject("testServerUrl");
    const own = cluster.replicas[0]?.url ?? "";
    const mixed = open([foreignUrl, own]);
    await vi.waitFor(async () => expect(await readPorts(mixed)).toEqual(["5433"]), poll);
    expect(mixed.status().map(({ isAvailable }) => isAvailable)).toEqual([false, true]);
    expect(messages).toContainEqual(
      "Replica 1 of the database is skipped: it is not a replica of the database at DATABASE_URL. Reads go to the others.",
    );
    await mixed.close();
    const replicaUrls = [foreignUrl, own, "postgresql://postgres@localhost:5499/postgres?host=/nowhere"];
    expect(await inspectReplicas({ databaseUrl: cluster.primary.url, replicaUrls })).toEqual([
      { status: "foreign" },
      { status: "connected", behindBytes: expect.any(Number) },
      { status: "unavailable", reason: expect.stringMatching(/ENOENT/) },
    ]);
  });

  test("replicas serve reads while the primary is down", async () => {
    await waitForPorts("5433", "5434");
    await cluster.primary.stop();
    await expect(primary.query("SELECT 1")).rejects.toThrow();
    expect(await readPorts()).toEqual(["5433", "5434"]);
    await cluster.primary.start();
  });

  describe("of the library", () => {
    let database: Database;
    const list = () =>
      database.libraryContents.listAnime({ query: "", includeAdult: false, page: 1, pageSize: 9 });
    const onReplicas = async (sql: string) => {
      for (const { url } of cluster.replicas) await runOn(url, sql);
    };

    beforeAll(async () => {
      database = await connectDatabase({
        dataDir: "unused",
        databaseUrl: cluster.primary.url,
        replicaUrls: cluster.replicas.map(({ url }) => url),
      });
      await vi.waitFor(
        () => expect(database.replicaStatus().map((one) => one.isAvailable)).toEqual([true, true]),
        poll,
      );
    });
    afterAll(() => database?.close());

    test("replicas list it, and what is too new for them is read from the primary", async () => {
      const before = (await list()).total;
      await onReplicas("SELECT pg_wal_replay_pause()");
      const episode = await makeEpisode(database);
      await publishEpisode(database, episode.id);
      expect((await list()).total).toBe(before);
      expect((await database.episodes.findMany([episode.id])).map(({ id }) => id)).toEqual([episode.id]);
      await onReplicas("SELECT pg_wal_replay_resume()");
      await vi.waitFor(async () => expect((await list()).total).toBe(before + 1), poll);
    });

    test("writes to a replica count as an unavailable database", async () => {
      // A load balancer leads to it until it has noticed a failover.
      const replica = await connectDatabase({ dataDir: "unused", databaseUrl: cluster.replicas[0]?.url });
      const error = await makeEpisode(replica).catch((reason: unknown) => reason);
      expect(isDatabaseUnavailable(error)).toBe(true);
      await replica.close();
    });

    test("it can be read while the primary is down, but accounts cannot", async () => {
      await cluster.primary.stop();
      expect((await list()).total).toBe(1);
      await expect(database.users.find("nobody")).rejects.toThrow();
      await cluster.primary.start();
    });
  });
});
