import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase } from "@koma/database";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { createTestDatabase } from "./testing/databases.ts";
import { stopEmbedded } from "./testing/stop-embedded.ts";

/** Opens a migrated database for the tests of a file. */
export async function openTestDatabase() {
  const { url: databaseUrl, remove } = await createTestDatabase();
  const closers: (() => Promise<unknown>)[] = [remove];
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });
  /** Connects again, as another process would. */
  const connectAgain = async () => {
    const database = await connectDatabase({ dataDir: tmpdir(), databaseUrl, poolSize: 10 });
    closers.push(() => database.close());
    return database;
  };
  return {
    database: await connectAgain(),
    connectAgain,
    databaseUrl,
    /** Returns the rows of a plain query. */
    async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
      const client = new pg.Client(databaseUrl);
      await client.connect();
      try {
        return (await client.query<Row>(sql, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/** Copies the prepared embedded data folder; `remove` also stops its server. */
export async function copyPreparedFolder(
  name = "data",
): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), "koma-test-"));
  const dataDir = path.join(root, name);
  const data = path.join("database", "postgresql-18");
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
  const host = path.join(dataDir, "database", "postgresql-18");
  return { host, port: 5432, user: "postgres", database: "postgres" };
}
