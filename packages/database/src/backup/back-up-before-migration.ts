import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { listMissing, readApplied } from "../connection/migrate.ts";
import { migrationFolders, type SchemaName } from "../connection/migration-folders.ts";
import { MigrationError } from "../errors.ts";
import { writeBackup } from "./backup.ts";

/** Backs up a database with content before migrations of a schema are applied; see `backUpBeforeMigration`. */
export async function prepareMigration(options: {
  pool: pg.Pool;
  dataDir: string;
  schema: SchemaName;
  onLog: (message: string) => void;
}): Promise<void> {
  const { pool, schema } = options;
  const applied = await readApplied(pool, schema);
  const [migration] = await listMissing(pool, migrationFolders[schema], schema);
  if (applied.length > 0 && migration !== undefined) await backUpBeforeMigration({ ...options, migration });
}

/**
 * Writes a backup to `backups` in the data folder before migrations change a database, and removes all but the newest two.
 * Throws MigrationError when the disk has too little space.
 */
export async function backUpBeforeMigration(options: {
  pool: pg.Pool;
  dataDir: string;
  migration: string;
  onLog: (message: string) => void;
}): Promise<void> {
  const { pool, migration, onLog } = options;
  const folder = path.join(path.resolve(options.dataDir), "backups");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { rows } = await pool.query<{ size: string }>("SELECT pg_database_size(current_database()) AS size");
  const neededBytes = Number(rows[0]?.size ?? 0);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < neededBytes) {
    throw new MigrationError(
      `The backup before migration ${migration} needs ${toMebibytes(neededBytes)} MiB in ${folder}, which has ${toMebibytes(bavail * bsize)} MiB. Free some space and start again.`,
    );
  }
  const time = new Date().toISOString().replaceAll(":", "-");
  const file = path.join(folder, `before-${migration}-${time}-${process.pid}.koma`);
  onLog(`Writing a backup before the migration: ${file}`);
  await writeBackup(pool, file);
  await removeOld(folder);
}

const retainedBackups = 2;

function toMebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^before-.*\.koma$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(path.join(folder, name))).mtimeMs })),
  );
  files.sort((one, other) => other.time - one.time);
  for (const { name } of files.slice(retainedBackups)) await rm(path.join(folder, name), { force: true });
}
