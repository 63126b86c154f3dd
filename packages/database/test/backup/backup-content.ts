import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { backUpDatabase, connectDatabase, type DatabaseAddress } from "@koma/database";
import { openBotStore } from "@koma/database/bots";
import type pg from "pg";
import { afterAll, expect } from "vitest";
import { openPool } from "../../src/connection/open-pool.ts";
import { generateFile, publishEpisode } from "../make-episode.ts";
import { makeUser } from "../make-search.ts";
import { createEmptyDatabase } from "../testing/databases.ts";

/** Opens a filled database with a backup of it, in a folder that ends with the test file. */
export async function openBackup() {
  const root = await mkdtemp(path.join(tmpdir(), "koma-backup-"));
  const cleanups: (() => Promise<unknown>)[] = [() => rm(root, { recursive: true, force: true })];
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  /** A new data folder and an empty database. */
  async function makeAddress(): Promise<Required<DatabaseAddress>> {
    const dataDir = path.join(root, randomBytes(6).toString("hex"));
    await mkdir(dataDir);
    const { url: databaseUrl, remove } = await createEmptyDatabase();
    cleanups.push(remove);
    return { dataDir, databaseUrl };
  }
  const source = await makeAddress();
  await fillDatabase(source);
  const file = path.join(root, "backup.koma");
  await backUpDatabase({ ...source, file, extras: { note: "extra" } });
  return { root, source, file, makeAddress };
}

/** Writes rows of the library, of a user and of a bot. */
async function fillDatabase(address: DatabaseAddress): Promise<void> {
  const database = await connectDatabase(address);
  const { id: animeId } = await database.anime.findOrCreate({
    key: "backup",
    title: 'A "title"\n with \\ and 葬',
  });
  for (let number = 1; number <= 12; number++) {
    const naming = { animeId, season: null, number: `${number}`, title: null };
    const { id } = await database.episodes.upsertPending({ ...generateFile(), ...naming });
    await publishEpisode(database, id);
  }
  const { userId } = await makeUser(database);
  await database.credits.grant({ userId, amount: 7, reason: "test" });
  await database.close();
  const bots = await openBotStore(address);
  const sealed = { keyId: "key", sealed: new Uint8Array([0, 255, 10, 13]) };
  await bots.accounts.put({ platform: "discord", personKey: "person" }, sealed, new Date());
  await bots.close();
}

/** Runs statements on one connection. */
export async function withPool<Result>(
  { dataDir, databaseUrl }: DatabaseAddress,
  use: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = await openPool({ dataDir, databaseUrl, poolSize: 1 });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Reads all rows, constraints and triggers in a comparable order. Only PostgreSQL 18 lists NOT NULL (n) as
 * a constraint.
 */
export async function readAll(address: DatabaseAddress): Promise<unknown> {
  return await withPool(address, async (pool) => {
    // Timestamps are compared as text.
    await pool.query("SET TIME ZONE 'UTC'");
    const { rows: tables } = await pool.query(
      `SELECT schemaname || '."' || tablename || '"' AS name FROM pg_tables
       WHERE schemaname IN ('public', 'bots') AND tablename <> '_prisma_migrations' ORDER BY 1`,
    );
    const parts = tables.map(
      ({ name }) => `SELECT '${name}' AS name, array_agg(t::text ORDER BY t::text) AS rows FROM ${name} t`,
    );
    const { rows } = await pool.query(parts.join(" UNION ALL "));
    const { rows: constraints } = await pool.query(
      `SELECT conrelid::regclass::text AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE contype <> 'n' AND connamespace IN ('public'::regnamespace, 'bots'::regnamespace) ORDER BY 1, 2`,
    );
    const { rows: triggers } = await pool.query(
      `SELECT tgname::text, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
    );
    return { rows, constraints, triggers };
  });
}

/** Asserts that a restored database can be searched and read by bots. */
export async function expectWorking(address: DatabaseAddress): Promise<void> {
  const database = await connectDatabase(address);
  const [ready] = await database.episodes.listReady("test-model");
  expect(await database.episodes.readDescriptors(ready?.episodeId ?? "", "test-model")).toBeDefined();
  await database.close();
  const bots = await openBotStore(address);
  const account = await bots.accounts.find({ platform: "discord", personKey: "person" });
  expect(account?.sealed).toEqual(new Uint8Array([0, 255, 10, 13]));
  await bots.close();
}
