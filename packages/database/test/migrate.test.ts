import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { migrate } from "../src/connection/migrate.ts";
import { MigrationError } from "../src/errors.ts";
import { openTestDatabase } from "./open-test-database.ts";

const realFolder = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));

const { databaseUrl } = await openTestDatabase();

let folder: string;
let pool: pg.Pool;

beforeAll(() => {
  pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
});

beforeEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = await mkdtemp(path.join(tmpdir(), "koma-migrations-"));
  await cp(realFolder, folder, { recursive: true });
});

afterAll(async () => {
  await pool.end();
  await rm(folder, { recursive: true });
});

async function write(name: string, sql: string) {
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, "migration.sql"), sql);
}

async function undo(name: string) {
  await pool.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
}

it("are applied once by concurrent callers", async () => {
  expect(await migrate(pool, folder)).toEqual([]);
  await write("29990101000000_lamp", 'CREATE TABLE "Lamp" (id INT); INSERT INTO "Lamp" VALUES (1);');
  const applied = await Promise.all([migrate(pool, folder), migrate(pool, folder), migrate(pool, folder)]);
  expect(applied.flat()).toEqual(["29990101000000_lamp"]);
  expect((await pool.query('SELECT id FROM "Lamp"')).rows).toEqual([{ id: 1 }]);
  await pool.query('DROP TABLE "Lamp"');
  await undo("29990101000000_lamp");
});

it("are applied once by callers that found no table of migrations before they waited", async () => {
  await write("29990101000003_lamp", 'CREATE TABLE "Lamp" (id INT);');
  const isLamp = (name: string) => name === "29990101000003_lamp";
  const holder = await pool.connect();
  const waiting = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    await holder.query("SELECT pg_advisory_lock(72707369)");
    const both = Promise.all([1, 2].map(() => migrate(waiting, folder, "lamps", isLamp)));
    const countWaiting = async () =>
      (await pool.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount;
    await expect.poll(countWaiting).toBe(2);
    await holder.query("SELECT pg_advisory_unlock(72707369)");
    expect((await both).flat()).toEqual(["29990101000003_lamp"]);
  } finally {
    holder.release();
    await waiting.end();
    await pool.query('DROP TABLE IF EXISTS "Lamp"; DROP SCHEMA IF EXISTS lamps CASCADE');
  }
});

it("leave a row that Prisma accepts", async () => {
  const { rows } = await pool.query("SELECT * FROM _prisma_migrations");
  expect(rows).toHaveLength((await readdir(realFolder)).length - 1);
  expect(rows[0]).toMatchObject({ rolled_back_at: null, logs: null, applied_steps_count: 1 });
  expect(rows[0].checksum).toMatch(/^[0-9a-f]{64}$/);
  expect(rows[0].finished_at).toBeInstanceOf(Date);
});

it("reject one that was edited after it was applied", async () => {
  const [name] = (await pool.query("SELECT migration_name FROM _prisma_migrations")).rows.map(
    (row: { migration_name: string }) => row.migration_name,
  );
  await write(name ?? "", "SELECT 1;");
  await expect(migrate(pool, folder)).rejects.toThrow(/was edited after it was applied/);
});

it("roll back one that fails and name it", async () => {
  await write("29990101000001_bad", 'CREATE TABLE "Half" (id INT); SELECT nothing FROM nowhere;');
  await expect(migrate(pool, folder)).rejects.toThrow(MigrationError);
  await expect(migrate(pool, folder)).rejects.toThrow(
    /29990101000001_bad failed and was rolled back: .*nowhere/,
  );
  expect((await pool.query(`SELECT to_regclass('"Half"') AS half`)).rows).toEqual([{ half: null }]);
  await write("29990101000001_bad", "SELECT 1;");
  expect(await migrate(pool, folder)).toEqual(["29990101000001_bad"]);
  await undo("29990101000001_bad");
});

it("reject a database in which one failed, or that a newer version created", async () => {
  await pool.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'c', '29990101000002_stuck')",
  );
  await expect(migrate(pool, folder)).rejects.toThrow(/29990101000002_stuck failed earlier/);
  await pool.query("UPDATE _prisma_migrations SET finished_at = now() WHERE id = '1'");
  await expect(migrate(pool, folder)).rejects.toThrow(/newer version of Koma/);
  await pool.query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = '1'");
  expect(await migrate(pool, folder)).toEqual([]);
  await undo("29990101000002_stuck");
});
