import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The administrator's address of the PostgreSQL of this run (`@koma/database/testing/setup`). */
    testServerUrl: string;
  }
}

/** A database of one test file. */
export type TestDatabaseAddress = { url: string; remove: () => Promise<void> };

/** Creates a migrated database on the PostgreSQL of this run. */
export async function createTestDatabase(): Promise<TestDatabaseAddress> {
  return await createDatabaseOn(inject("testServerUrl"), templateName);
}

/** Creates an empty database on the PostgreSQL of this run. */
export async function createEmptyDatabase(): Promise<TestDatabaseAddress> {
  return await createDatabaseOn(inject("testServerUrl"), undefined);
}

/** Creates a database on a server, for files that run before all tests. */
export async function createDatabaseOn(
  adminUrl: string,
  template?: string | undefined,
): Promise<TestDatabaseAddress> {
  const name = `koma_test_${randomBytes(6).toString("hex")}`;
  await createDatabase(adminUrl, name, template);
  // Operators' servers are in any time zone.
  await runAsAdmin(adminUrl, `ALTER DATABASE ${name} SET timezone TO 'Asia/Kolkata'`);
  return {
    url: addressOf(adminUrl, name),
    remove: () => dropDatabase((sql) => runAsAdmin(adminUrl, sql), name),
  };
}

/** The address of a database on a server. */
export function addressOf(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The migrated database of the run. */
export const templateName = "koma_template";

export async function createDatabase(
  adminUrl: string,
  name: string,
  template?: string | undefined,
): Promise<void> {
  await runAsAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template ?? "template1"}`);
}

/** Runs a statement as the administrator of a server. */
export async function runAsAdmin(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Drops a test's database. PostgreSQL waits 5 s for connections that are being closed; only after that are
 * they ended, because a client that is closing reports the end of its connection as an uncaught error.
 */
async function dropDatabase(run: (sql: string) => Promise<unknown>, name: string): Promise<void> {
  await run(`DROP DATABASE ${name}`).catch(() => run(`DROP DATABASE ${name} WITH (FORCE)`));
}
