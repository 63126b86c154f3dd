import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase, type Database } from "@koma/database";
import type pg from "pg";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { createTestDatabase } from "./testing/databases.ts";
import { stopEmbedded } from "./testing/stop-embedded.ts";

/** The input of a test: the migrated database of its file, and plain connections to it. */
export type TestDatabase = {
  database: Database;
  /** Connects again, as another process would. */
  connectAgain(): Promise<Database>;
  /** Settings for plain pg clients and pools. */
  connection: { connectionString: string };
};

/** Runs tests on a database of their own. */
export function describeWithDatabase(name: string, define: (open: () => TestDatabase) => void): void {
  describe(name, () => {
    let opened: TestDatabase | undefined;
    const closers: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      const { url: databaseUrl, remove } = await createTestDatabase();
      closers.push(remove);
      const connectAgain = async () => {
        const other = await connectDatabase({ dataDir: tmpdir(), databaseUrl, poolSize: 10 });
        closers.push(() => other.close());
        return other;
      };
      opened = {
        database: await connectAgain(),
        connectAgain,
        connection: { connectionString: databaseUrl },
      };
    });
    afterAll(async () => {
      for (const close of closers.reverse()) await close();
    });
    define(() => {
      if (opened === undefined) throw new Error("The database is open only while tests run.");
      return opened;
    });
  });
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
