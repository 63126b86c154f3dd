import { randomBytes } from "node:crypto";
import { createReadStream, existsSync, type ReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { openPool } from "../connection/open-pool.ts";
import { BackupError } from "../errors.ts";
import {
  type BackupHeader,
  type BackupRecord,
  type BackupTable,
  damaged,
  toLines,
  toRecords,
} from "./backup-lines.ts";
import { exportRecords, listTables } from "./export-records.ts";
import { checkTarget, importRecords } from "./import-records.ts";
import { reportProgress } from "./report-progress.ts";

/** The address of a database: PostgreSQL at `databaseUrl`, otherwise the embedded one under `dataDir`. */
export type DatabaseAddress = { dataDir: string; databaseUrl?: string | undefined };

/** What a backup has beside the database, and how it is written. */
export type BackupOptions = {
  extras?: BackupHeader["extras"] | undefined;
  signal?: AbortSignal | undefined;
  /** Receives the fraction that is written. */
  onProgress?: ((fraction: number) => void) | undefined;
};

type NewBackup = BackupOptions & { file: string };

type ImportOptions = {
  signal?: AbortSignal | undefined;
  /** Receives the fraction of the work that is done. */
  onProgress?: ((fraction: number) => void) | undefined;
};

/**
 * Writes the content of a database to a new file while the database is in use. The file appears under its
 * name when it is complete. `extras` are stored unencrypted. Throws BackupError and DatabaseUnavailableError.
 */
export async function backUpDatabase(options: DatabaseAddress & NewBackup): Promise<void> {
  const { file } = options;
  if (existsSync(file)) throw new BackupError(`${file} exists already.`);
  await withPool(options, (pool) => writeBackup(pool, options));
}

/** Writes a backup of an open database. */
export async function writeBackup(pool: pg.Pool, options: NewBackup): Promise<void> {
  const { file, extras, signal, onProgress } = options;
  const folder = path.dirname(path.resolve(file));
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  const output = await openDraft(draft).catch((error: Error) => {
    throw new BackupError(`${file} cannot be written: ${error.message}`);
  });
  const records = exportRecords(pool, extras);
  try {
    await pipeline(
      Readable.from(toLines(onProgress === undefined ? records : reportProgress(pool, records, onProgress))),
      createGzip({ level: constants.Z_BEST_SPEED }),
      output.createWriteStream({ flush: true }),
      { signal },
    );
    await rename(draft, file);
    await flushFolder(folder);
  } finally {
    await rm(draft, { force: true });
  }
}

async function openDraft(draft: string): Promise<FileHandle> {
  await mkdir(path.dirname(draft), { recursive: true, mode: 0o700 });
  return await open(draft, "wx", 0o600);
}

/**
 * Deletes the drafts in a folder that a killed process left. A draft that is being written changes within seconds, so
 * one that is ten minutes old has no writer.
 */
export async function removeOldDrafts(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.koma\.[0-9a-f]{12}\.part$/.test(name));
  for (const draft of names.map((name) => path.join(folder, name))) {
    const found = await stat(draft).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > draftLimitMs) await rm(draft, { force: true });
  }
}

const draftLimitMs = 10 * 60_000;

/** Reads a whole backup and returns its header. Throws BackupError when it is damaged. */
export async function verifyBackup(file: string): Promise<BackupHeader> {
  return (await readOutline(file)).header;
}

/** Reads only the header of a backup. Throws BackupError when the file does not begin with one. */
export async function readBackupHeader(file: string): Promise<BackupHeader> {
  for await (const record of readRecords(file)) if (record.kind === "header") return record.header;
  throw damaged("it is empty");
}

async function readOutline(
  file: string,
  { signal, onProgress }: ImportOptions = {},
): Promise<{ header: BackupHeader; tables: BackupTable[] }> {
  let header: BackupHeader | undefined;
  const tables: BackupTable[] = [];
  for await (const record of readRecords(file, onProgress)) {
    signal?.throwIfAborted();
    if (record.kind === "header") header = record.header;
    else if (record.kind === "table") tables.push(record);
  }
  if (header === undefined) throw damaged("it is empty");
  return { header, tables };
}

/**
 * Restores a backup into an empty database. Rejects a damaged file, a newer schema and a database with
 * content before any change, and an unknown table or column before the first row. When it is interrupted, the
 * database is marked as incomplete and cannot be opened. Returns the number of rows. Throws BackupError and
 * DatabaseUnavailableError.
 */
export async function restoreDatabase(
  options: DatabaseAddress & ImportOptions & { file: string },
): Promise<number> {
  const { file, signal, onProgress } = options;
  // The file is read twice, and the check takes nearly as long as the import.
  const { header, tables } = await readOutline(file, {
    signal,
    onProgress: (fraction) => onProgress?.(fraction / 2),
  });
  return await withPool(options, async (pool) => {
    await checkTarget(pool, header);
    const records = readRecords(file, (fraction) => onProgress?.((1 + fraction) / 2));
    return await importRecords(pool, records, { tables, signal });
  });
}

/** Copies a database into an empty one, with the checks of `restoreDatabase`. Returns the number of rows. */
export async function copyDatabase(
  options: ImportOptions & { from: DatabaseAddress; to: DatabaseAddress },
): Promise<number> {
  const { signal, onProgress = () => undefined } = options;
  return await withPool(options.from, async (source) => {
    return await withPool(options.to, async (target) => {
      const records = exportRecords(source);
      const first = await records.next();
      if (first.done || first.value.kind !== "header") throw new Error("The first record is not a header.");
      const { header } = first.value;
      await checkTarget(target, header);
      const tables: BackupTable[] = [];
      for (const { schema } of header.schemas) tables.push(...(await listTables(source, schema)));
      const copied = reportProgress(source, prepend(first.value, records), onProgress);
      return await importRecords(target, copied, { tables, signal });
    });
  });
}

async function* prepend(
  first: BackupRecord,
  rest: AsyncIterable<BackupRecord>,
): AsyncGenerator<BackupRecord> {
  yield first;
  yield* rest;
}

/** The records of a backup; `onProgress` receives the fraction of the file. Throws BackupError when it is damaged. */
export async function* readRecords(
  file: string,
  onProgress: (fraction: number) => void = () => undefined,
): AsyncGenerator<BackupRecord> {
  let source: ReadStream | undefined;
  try {
    const { size } = await stat(file);
    source = createReadStream(file);
    const gunzip = createGunzip();
    source.on("error", (error) => gunzip.destroy(error));
    source.pipe(gunzip);
    for await (const record of toRecords(readLines(gunzip))) {
      yield record;
      onProgress(source.bytesRead / size);
    }
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    if (String(error.code).startsWith("Z_"))
      throw damaged("it is no backup, or incomplete: it cannot be decompressed");
    if (error.code === "ENOENT") throw new BackupError(`${file} does not exist.`);
    throw new BackupError(`${file} cannot be read: ${error.message}`);
  } finally {
    source?.destroy();
  }
}

// Errors of the stream end its iterator, but not that of readline.
async function* readLines(stream: Readable): AsyncGenerator<string> {
  let rest = "";
  stream.setEncoding("utf8");
  for await (const part of stream) {
    const lines = `${rest}${part}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") throw damaged("its last line is incomplete");
}

async function withPool<Result>(
  address: DatabaseAddress,
  use: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const { dataDir, databaseUrl } = address;
  const pool = await openPool({ dataDir, databaseUrl, poolSize: 1 });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/** A rename survives a power failure after the folder was flushed. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
