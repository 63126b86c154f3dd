import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase, type Database } from "@koma/database";
import { dropDatabase, findTestDatabase, isEmbeddedTested } from "@koma/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { stopEmbedded } from "./stop-embedded.ts";

/** The input of a test: the migrated database of its file, and plain connections to it. */
export type TestDatabase = {
  database: Database;
  /** Connects again, as another process would. */
  connectAgain(): Promise<Database>;
  /** Settings for plain pg clients and pools. */
  connection: pg.PoolConfig;
};

/** Runs the same tests on the embedded database and, when KOMA_TEST_DATABASE_URL is set, on PostgreSQL. */
export function describeOnBoth(name: string, define: (open: () => TestDatabase) => void): void {
  if (isEmbeddedTested()) describe(`${name} (embedded)`, () => defineOn(openEmbedded, define));
  const adminUrl = findTestDatabase();
  describe.skipIf(adminUrl === undefined)(`${name} (PostgreSQL; needs KOMA_TEST_DATABASE_URL)`, () =>
    defineOn(() => openPostgresql(adminUrl ?? ""), define),
  );
}

/** Copies the prepared embedded data folder; `remove` also stops its server. */
export async function copyPreparedFolder(
  name = "data",
): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), "koma-test-"));
  const dataDir = path.join(root, name);
  const data = path.join("database", "pg");
  await cp(path.join(inject("preparedDataDir"), data), path.join(dataDir, data), { recursive: true });
  return {
    dataDir,
    async remove() {
      await stopEmbedded(dataDir, "SIGKILL");
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Returns the connection settings of the running embedded server of a data folder. */
export function embeddedConnection(dataDir: string): pg.PoolConfig {
  return { host: path.join(dataDir, "database"), port: 5432, user: "postgres", database: "postgres" };
}

type Opened = TestDatabase & { remove: () => Promise<void> };

function defineOn(open: () => Promise<Opened>, define: (open: () => TestDatabase) => void): void {
  let opened: Opened | undefined;
  const others: Database[] = [];
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    for (const other of others) await other.close();
    await opened?.database.close();
    await opened?.remove();
  });
  define(() => {
    if (opened === undefined) throw new Error("The database is open only while tests run.");
    const { database, connection, connectAgain } = opened;
    return {
      database,
      connection,
      async connectAgain() {
        const other = await connectAgain();
        others.push(other);
        return other;
      },
    };
  });
}

async function openEmbedded(): Promise<Opened> {
  const { dataDir, remove } = await copyPreparedFolder();
  const connectAgain = () => connectDatabase({ dataDir, poolSize: 10 });
  return { database: await connectAgain(), connectAgain, connection: embeddedConnection(dataDir), remove };
}

async function openPostgresql(adminUrl: string): Promise<Opened> {
  const name = `koma_test_${randomBytes(6).toString("hex")}`;
  await runAsAdmin(adminUrl, `CREATE DATABASE ${name}`);
  // Operators' servers are in any time zone.
  await runAsAdmin(adminUrl, `ALTER DATABASE ${name} SET timezone TO 'Asia/Kolkata'`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const connectAgain = () => connectDatabase({ dataDir: tmpdir(), databaseUrl: url.href, poolSize: 10 });
  return {
    database: await connectAgain(),
    connectAgain,
    connection: { connectionString: url.href },
    remove: () => dropDatabase((sql) => runAsAdmin(adminUrl, sql), name),
  };
}

async function runAsAdmin(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
