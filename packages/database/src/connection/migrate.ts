import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { MigrationError } from "../errors.ts";

/**
 * Applies the missing migrations, each in one transaction with its row in `_prisma_migrations`, in the format
 * of `prisma migrate deploy`. Several processes may call it at the same time. Returns the names of the
 * applied migrations. `schema` (default: the first of the search path) contains that table. Throws
 * MigrationError for a migration that fails, failed before, was edited after it was applied, or is unknown.
 */
export async function migrate(
  pool: pg.Pool,
  migrationsFolder: string,
  schema?: string,
  isSelected: (name: string) => boolean = () => true,
): Promise<string[]> {
  const known = (await readMigrations(migrationsFolder)).filter(({ name }) => isSelected(name));
  if (findMissing(known, await readApplied(pool, schema)).length === 0) return [];
  const applied: string[] = [];
  for (const migration of known) {
    if (await applyUnlessApplied(pool, known, migration, schema)) applied.push(migration.name);
  }
  return applied;
}

/** The names of the migrations that are missing. Throws MigrationError as `migrate` does. */
export async function listMissing(
  pool: pg.Pool,
  migrationsFolder: string,
  schema?: string,
): Promise<string[]> {
  const known = await readMigrations(migrationsFolder);
  return findMissing(known, await readApplied(pool, schema)).map(({ name }) => name);
}

/** The name of the row that marks a database while a backup is restored into it. */
export const restoreMarker = "koma_restore_incomplete";

type Migration = { name: string; sql: string; checksum: string };

type AppliedRow = { migration_name: string; checksum: string; finished_at: Date | null };

// The key of Prisma's own lock, so that `prisma migrate deploy` waits.
const advisoryLockKey = 72707369;

/** The migrations of a folder, in their order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return await Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(path.join(folder, name, "migration.sql"));
      return {
        name,
        sql: bytes.toString("utf8"),
        checksum: createHash("sha256").update(bytes).digest("hex"),
      };
    }),
  );
}

function tableIn(schema: string | undefined): string {
  return schema === undefined ? "_prisma_migrations" : `"${schema}"._prisma_migrations`;
}

/** The rows of `_prisma_migrations`; empty when the table is missing. */
export async function readApplied(client: pg.Pool | pg.PoolClient, schema?: string): Promise<AppliedRow[]> {
  // `to_regclass` alone answers from the session's cache, in which a table that another session created while
  // this one waited for the advisory lock is still missing. Reading a table brings the cache up to date.
  const table = await client.query("SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass($1)", [
    tableIn(schema),
  ]);
  if (table.rowCount === 0) return [];
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at FROM ${tableIn(schema)} WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

function findMissing(known: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  for (const row of applied) {
    const migration = known.find(({ name }) => name === row.migration_name);
    if (row.migration_name === restoreMarker) {
      throw new MigrationError(
        "A restore into this database did not complete. Remove the database (embedded: the folder `database` in the data folder) and run `koma restore` again.",
      );
    }
    if (row.finished_at === null) {
      throw new MigrationError(
        `Migration ${row.migration_name} failed earlier. Repair the database, mark it with \`npx prisma migrate resolve\`, and start again.`,
      );
    }
    if (migration === undefined) {
      throw new MigrationError(
        `The database has migration ${row.migration_name}, which is unknown to this version: a newer version of Koma created it. Update Koma, or use another database.`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `Migration ${row.migration_name} was edited after it was applied to this database. Restore the file as it was.`,
      );
    }
  }
  return known.filter(({ name }) => !applied.some((row) => row.migration_name === name));
}

async function applyUnlessApplied(
  pool: pg.Pool,
  known: readonly Migration[],
  migration: Migration,
  schema: string | undefined,
): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [advisoryLockKey]);
    if (!findMissing(known, await readApplied(client, schema)).includes(migration)) {
      await client.query("ROLLBACK");
      return false;
    }
    if (schema !== undefined) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${tableIn(schema)} ${tableColumns}`);
    await runSql(client, migration);
    await client.query(
      `INSERT INTO ${tableIn(schema)} (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query("COMMIT");
    return true;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function runSql(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Migration ${migration.name} failed and was rolled back: ${reason}.`, {
      cause: error,
    });
  }
}

// Prisma's definition of the table.
const tableColumns = `(
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
