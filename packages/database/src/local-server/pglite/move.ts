// Entry of the process that moves a database of PGlite to PostgreSQL. ensure-moved.ts starts it with the folder of
// the database. It can be interrupted at any point: the old database is only read, the new one appears under its
// name when it is complete, and the next start continues.
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { readRecords, writeBackup } from "../../backup/backup.ts";
import { countRows } from "../../backup/count-rows.ts";
import { importRecords } from "../../backup/import-records.ts";
import { createPool } from "../../connection/create-pool.ts";
import { chooseAccount } from "../accounts.ts";
import type { FolderLock } from "../generation-lock.ts";
import { holdFolder } from "../hold-folder.ts";
import { createData, flush, startPostgres } from "../postgres.ts";
import { openPrograms } from "../programs.ts";
import { serverExitCodes } from "../server-exit-codes.ts";
import {
  chooseSocket,
  openServerFolder,
  openSocketFolder,
  type ServerFolder,
  socketPort,
} from "../server-folder.ts";
import { isMoveNeeded, movedFolder, oldDataFolder, setAside } from "./old-database.ts";
import { installPglite, openPglite } from "./open-pglite.ts";

const packagePrefix = "pglite-package-";

// The end of the process that reads the messages does not end the move.
process.stdout.on("error", () => undefined);
try {
  const serverFolder = await openServerFolder(process.argv[2] ?? "");
  const lock = await holdFolder(serverFolder, () => fail(new Error("another process took the data folder")));
  if (lock === undefined) process.exit(serverExitCodes.lockedByAnother);
  if (isMoveNeeded(serverFolder)) await move(serverFolder, lock);
  await lock.release();
  process.exit(0);
} catch (error) {
  fail(error);
}

async function move(serverFolder: ServerFolder, lock: FolderLock): Promise<void> {
  const { folder, dataFolder } = serverFolder;
  const oldFolder = oldDataFolder(serverFolder);
  const backupFile = path.join(path.dirname(folder), "backups", "before-postgresql.koma");
  const startedMs = performance.now();
  if (!(await isMoved(serverFolder))) {
    await rm(movedFolder(serverFolder), { recursive: true, force: true });
    report(
      "The database of this data folder is one of PGlite. This version of Koma uses PostgreSQL, and moves it once: it backs it up, restores the backup into PostgreSQL, and keeps the old database. An interruption does no harm.",
    );
    await checkSpace(folder, oldFolder);
    const rows = await copyRows({ serverFolder, lock, oldFolder, backupFile });
    report(`Moved ${rows} rows in ${Math.round((performance.now() - startedMs) / 1000)} s.`);
  }
  const packages = (await readdir(folder)).filter((name) => name.startsWith(packagePrefix));
  for (const name of packages) await rm(path.join(folder, name), { recursive: true, force: true });
  // After a way back to the old version, the database of PGlite is the newer one.
  if (existsSync(dataFolder)) {
    const aside = await setAside(dataFolder, path.basename(dataFolder));
    report(`An earlier database of PostgreSQL is now ${aside}.`);
  }
  if (existsSync(oldFolder)) {
    const asideFolder = await setAside(oldFolder, "pglite");
    report(
      `The old database is now ${asideFolder}, and its backup ${backupFile}: remove both when you no longer need them. To go back, stop Koma, install the earlier version, and rename ${asideFolder} to ${oldFolder}; later changes are lost then.`,
    );
  }
  await rename(movedFolder(serverFolder), dataFolder);
  await flush(folder);
}

/** Whether a move that was interrupted had only the renames left, and the old database has not run since. */
async function isMoved(serverFolder: ServerFolder): Promise<boolean> {
  const read = (file: string) =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  const movedMs = await read(path.join(movedFolder(serverFolder), "PG_VERSION"));
  const oldMs = await read(path.join(oldDataFolder(serverFolder), "global", "pg_control"));
  return movedMs !== undefined && (oldMs ?? 0) < movedMs;
}

/** Writes the backup, restores it into a new database, and compares the numbers of rows. */
async function copyRows(options: {
  serverFolder: ServerFolder;
  lock: FolderLock;
  oldFolder: string;
  backupFile: string;
}): Promise<number> {
  const { serverFolder, lock, oldFolder, backupFile } = options;
  // The npm of an interrupted move can still run. If its folder is removed, it removes the package from npm's cache.
  const packageFolder = await mkdtemp(path.join(serverFolder.folder, packagePrefix));
  const old = await openPglite(await installPglite(packageFolder), oldFolder);
  const source = toPool(old);
  const oldCounts = await countRows(source);
  await removeOf(backupFile);
  await writeBackup(source, { file: backupFile });
  await old.close();

  const { folder, dataFolder } = serverFolder;
  const account = await chooseAccount(dataFolder, path.dirname(folder));
  const linksFolder = path.join(folder, "libraries");
  const target = movedFolder(serverFolder);
  let rows = 0;
  await createData({
    ...{ linksFolder, account, lock },
    dataFolder: target,
    async fill(draft) {
      const { socketFolder } = chooseSocket(draft);
      await openSocketFolder({ dataFolder: draft, socketFolder });
      const programs = await openPrograms(account, linksFolder);
      const served = { dataFolder: draft, socketFolder, log: () => undefined };
      const postgres = await startPostgres({ ...served, account, programs, lock });
      const pool = createPool({ host: socketFolder, port: socketPort, user: "postgres", max: 1 });
      rows = await importRecords(pool, readRecords(backupFile));
      const newCounts = await countRows(pool);
      await pool.end();
      await postgres.stop("fast");
      if (socketFolder !== draft) await rm(socketFolder, { recursive: true, force: true });
      compare(oldCounts, newCounts);
    },
  });
  return rows;
}

/** Removes a backup and the drafts of interrupted moves. */
async function removeOf(backupFile: string): Promise<void> {
  const folder = path.dirname(backupFile);
  const names = await readdir(folder).catch(() => []);
  const own = names.filter((name) => name.startsWith(path.basename(backupFile)));
  for (const name of own) await rm(path.join(folder, name));
}

function compare(before: Map<string, number>, after: Map<string, number>): void {
  for (const [table, count] of before) {
    const copied = after.get(table);
    // A newer version may have removed the table.
    if (copied === undefined || copied === count) continue;
    throw new Error(`${table} has ${copied} instead of ${count} rows in PostgreSQL`);
  }
}

/** The functions of pg that backups use, on PGlite. */
function toPool(db: Awaited<ReturnType<typeof openPglite>>): pg.Pool {
  const query = (sql: string, values?: unknown[]) => db.query(sql, values);
  return { query, connect: async () => ({ query, release: () => undefined }) } as unknown as pg.Pool;
}

/** The backup and the new database need at most the size of the old one each. */
async function checkSpace(folder: string, oldFolder: string): Promise<void> {
  let bytes = 0;
  for (const entry of await readdir(oldFolder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  const neededMiB = Math.ceil((2 * bytes) / 1024 ** 2);
  const { bavail, bsize } = await statfs(folder);
  const freeMiB = Math.floor((bavail * bsize) / 1024 ** 2);
  if (freeMiB >= neededMiB) return;
  throw new Error(
    `the move needs ${neededMiB} MiB in ${folder}, which has ${freeMiB} MiB. Free some space and start again`,
  );
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(serverExitCodes.failed);
}
