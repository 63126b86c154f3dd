import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { listMissing, readApplied } from "../connection/migrate.ts";
import { migrationFolders, type SchemaName } from "../connection/migration-folders.ts";
import { MigrationError } from "../errors.ts";
import { removeOldDrafts, writeBackup } from "./backup.ts";

/** Runs work and shows the fraction that it reports. */
export type ShowProgress = (
  work: (onProgress?: (fraction: number) => void) => Promise<void>,
) => Promise<void>;

/**
 * Backs up a database with content to `backups` in the data folder before migrations of a schema change it, and
 * removes all such backups but the newest before each of the last two migrations. A PostgreSQL server with more
 * content than `limitBytes` is not backed up: that takes minutes, in which no process listens, and a service manager
 * would end it. Throws MigrationError when the disk has too little space.
 */
export async function backUpBeforeMigration(options: {
  pool: pg.Pool;
  dataDir: string;
  schema: SchemaName;
  isEmbedded: boolean;
  limitBytes?: number | undefined;
  onLog: (message: string) => void;
  /** Ends the backup, and with it the start, before the migrations. */
  signal?: AbortSignal | undefined;
  showProgress?: ShowProgress | undefined;
}): Promise<void> {
  const { pool, schema, isEmbedded, limitBytes = largestServerBytes, onLog, signal } = options;
  if ((await readApplied(pool, schema)).length === 0) return;
  const [migration] = await listMissing(pool, migrationFolders[schema], schema);
  if (migration === undefined) return;
  const sizeBytes = await measureDatabase(pool);
  if (!isEmbedded && sizeBytes > limitBytes) {
    onLog(
      `The migrations begin without a backup, because the database has ${toMebibytes(sizeBytes)} MiB: \`koma backup\` writes one before an upgrade.`,
    );
    return;
  }
  const folder = path.join(path.resolve(options.dataDir), "backups");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOldDrafts(folder);
  await checkSpace(folder, { neededBytes: sizeBytes, migration });
  const time = new Date().toISOString().replaceAll(":", "-");
  const file = path.join(folder, `before-${migration}-${time}-${process.pid}.koma`);
  onLog(`Writing a backup before the migration: ${file}`);
  const { showProgress = (work) => work() } = options;
  await showProgress((onProgress) => writeBackup(pool, { file, signal, onProgress }));
  await removeOld(folder);
}

const retainedMigrations = 2;

// Such a backup takes about half a minute.
const largestServerBytes = 256 * 1024 * 1024;

async function measureDatabase(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ size: string }>("SELECT pg_database_size(current_database()) AS size");
  return Number(rows[0]?.size ?? 0);
}

async function checkSpace(
  folder: string,
  { neededBytes, migration }: { neededBytes: number; migration: string },
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= neededBytes) return;
  throw new MigrationError(
    `The backup before migration ${migration} needs ${toMebibytes(neededBytes)} MiB in ${folder}, which has ${toMebibytes(bavail * bsize)} MiB. Free some space and start again.`,
  );
}

function toMebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

/**
 * Deletes all backups but the newest before each of the last two migrations: one that fails causes a backup at each
 * start, which must not displace the backup of the former version.
 */
async function removeOld(folder: string): Promise<void> {
  const backups = (await readdir(folder)).flatMap((name) => {
    const [, migration, time] = /^before-(\w+)-(\d{4}-.*Z)-\d+\.koma$/.exec(name) ?? [];
    return migration !== undefined && time !== undefined ? [{ name, migration, time }] : [];
  });
  backups.sort((one, other) => (one.time < other.time ? 1 : -1));
  const retained = new Set<string>();
  for (const { name, migration } of backups) {
    if (retained.has(migration) || retained.size === retainedMigrations)
      await rm(path.join(folder, name), { force: true });
    else retained.add(migration);
  }
}
