import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  BackupError,
  backUpDatabase,
  backUpToFolder,
  connectDatabase,
  copyDatabase,
  type DatabaseAddress,
  restoreDatabase,
  verifyBackup,
} from "@koma/database";
import { describe, expect, it, vi } from "vitest";
import { backUpBeforeMigration } from "../../src/backup/back-up-before-migration.ts";
import { type BackupRecord, toLines, toRecords } from "../../src/backup/backup-lines.ts";
import { exportRecords } from "../../src/backup/export-records.ts";
import { openPool } from "../../src/connection/open-pool.ts";
import { expectWorking, openBackup, readAll, withPool } from "./backup-content.ts";

const { root, source, file, makeAddress } = await openBackup();
const content = await readAll(source);

describe("backup", () => {
  async function isEmpty(address: DatabaseAddress): Promise<boolean> {
    const { rows } = await withPool(address, (pool) =>
      pool.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'"),
    );
    return rows.length === 0;
  }

  it("restores all rows into an empty database, which accepts searches", async () => {
    const address = await makeAddress();
    const rows = await restoreDatabase({ ...address, file });
    expect(rows).toBeGreaterThan(12 * 2);
    expect(await readAll(address)).toEqual(content);
    await expectWorking(address);
  });

  it("is equal to a copy into an empty database", async () => {
    const address = await makeAddress();
    await copyDatabase({ from: source, to: address });
    expect(await readAll(address)).toEqual(content);
    await expect(copyDatabase({ from: source, to: address })).rejects.toThrow(/not empty/);
  });

  it("reports the progress of a restore and of a copy up to the end", async () => {
    const restored = await makeAddress();
    for (const load of [
      (onProgress: (fraction: number) => void) => restoreDatabase({ ...restored, file, onProgress }),
      async (onProgress: (fraction: number) => void) =>
        await copyDatabase({ from: restored, to: await makeAddress(), onProgress }),
    ]) {
      const fractions: number[] = [];
      const rows = await load((fraction) => void fractions.push(fraction));
      expect(fractions.length).toBeGreaterThanOrEqual(rows);
      expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
      expect(fractions[0]).toBeLessThan(0.6);
      expect(fractions.at(-1)).toBe(1);
    }
  });

  it("stores the caller's data in its header and leaves no draft", async () => {
    expect((await verifyBackup(file)).extras).toEqual({ note: "extra" });
    expect((await readdir(root)).filter((name) => name.endsWith(".part"))).toEqual([]);
    await expect(backUpDatabase({ ...source, file })).rejects.toThrow(/exists already/);
  });

  it("names a file that cannot be written or read", async () => {
    const inFile = path.join(file, "backup.koma");
    await expect(backUpDatabase({ ...source, file: inFile })).rejects.toThrow(
      new BackupError(`${inFile} cannot be written: EEXIST: file already exists, mkdir '${file}'`),
    );
    await expect(backUpToFolder({ ...source, folder: inFile, retained: 1 })).rejects.toThrow(
      new BackupError(`No backup can be written to ${inFile}: ENOTDIR: not a directory, mkdir '${inFile}'`),
    );
    await expect(verifyBackup(root)).rejects.toThrow(
      new BackupError(`${root} cannot be read: EISDIR: illegal operation on a directory, read`),
    );
  });

  it("returns its connection when its reader stops early", async () => {
    const { dataDir, databaseUrl } = source;
    const pool = await openPool({ dataDir, databaseUrl, poolSize: 1 });
    for await (const record of exportRecords(pool)) if (record.kind === "row") break;
    await pool.end();
    expect(pool.totalCount).toBe(0);
  });

  it("stops when it is interrupted and leaves no file", async () => {
    const interrupted = path.join(root, "interrupted", "file.koma");
    const signal = AbortSignal.abort();
    await expect(backUpDatabase({ ...source, file: interrupted, signal })).rejects.toThrow(/aborted/);
    expect(await readdir(path.dirname(interrupted))).toEqual([]);
  });

  it("stops a restore during the check of the file, and changes nothing", async () => {
    const address = await makeAddress();
    const interruption = new AbortController();
    const onProgress = vi.fn(() => interruption.abort());
    await expect(
      restoreDatabase({ ...address, file, signal: interruption.signal, onProgress }),
    ).rejects.toThrow(/aborted/);
    expect(onProgress).toHaveBeenCalledTimes(1);
    expect(await restoreDatabase({ ...address, file })).toBeGreaterThan(0);
  });

  it("rejects an empty database", async () => {
    const address = await makeAddress();
    const empty = path.join(root, "empty-database.koma");
    await expect(backUpDatabase({ ...address, file: empty })).rejects.toThrow(/database is empty/);
    await expect(copyDatabase({ from: address, to: await makeAddress() })).rejects.toThrow(/is empty/);
  });

  it("is rejected before any change when it is damaged", async () => {
    const bytes = await readFile(file);
    const flipped = Buffer.from(bytes);
    flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 1;
    const text = gunzipSync(bytes).toString();
    const damages = {
      flipped,
      truncated: bytes.subarray(0, bytes.length - 20),
      empty: Buffer.alloc(0),
      foreign: Buffer.from("not a backup"),
      changed: gzipSync(text.replace('"amount":7', '"amount":9')),
      withoutEnd: gzipSync(text.slice(0, text.lastIndexOf("\nE") + 1)),
    };
    const address = await makeAddress();
    for (const [name, content] of Object.entries(damages)) {
      const damagedFile = path.join(root, `${name}.koma`);
      await writeFile(damagedFile, content);
      const error = await restoreDatabase({ ...address, file: damagedFile }).catch(
        (reason: unknown) => reason,
      );
      expect(error, name).toBeInstanceOf(BackupError);
    }
    expect(await isEmpty(address)).toBe(true);
  });

  /** Writes a copy of the backup with other records. */
  async function editBackup(name: string, edit: (record: BackupRecord) => void): Promise<string> {
    async function* edited() {
      const lines = gunzipSync(await readFile(file))
        .toString()
        .trimEnd()
        .split("\n");
      for await (const record of toRecords(iterate(lines))) {
        edit(record);
        yield record;
      }
    }
    let text = "";
    for await (const line of toLines(edited())) text += line;
    const copy = path.join(root, name);
    await writeFile(copy, gzipSync(text));
    return copy;
  }

  it("is rejected before any change when a newer version wrote it", async () => {
    const newer = await editBackup("newer.koma", (record) => {
      if (record.kind === "header")
        record.header.schemas[0]?.migrations.push({ name: "2999_new", checksum: "" });
    });
    const address = await makeAddress();
    await expect(restoreDatabase({ ...address, file: newer })).rejects.toThrow(
      /2999_new, which is unknown to this version/,
    );
    expect(await isEmpty(address)).toBe(true);
  });

  it("is rejected before any row when it has an unknown column or table", async () => {
    const column = await editBackup("column.koma", (record) => {
      if (record.kind === "table" && record.table === "User") record.columns.push("hue");
    });
    const table = await editBackup("table.koma", (record) => {
      if (record.kind === "table" && record.table === "User") record.table = "Person";
    });
    const address = await makeAddress();
    for (const [changed, name] of [
      [column, "the column hue of the table User"],
      [table, "the table Person"],
    ] as const) {
      const restored = restoreDatabase({ ...address, file: changed });
      await expect(restored).rejects.toThrow(BackupError);
      await expect(restored).rejects.toThrow(`${name}, which is unknown to this version`);
    }
    await restoreDatabase({ ...address, file });
    expect(await readAll(address)).toEqual(content);
    await withPool(address, (pool) => pool.query(`ALTER TABLE "User" ADD "hue" int`));
    await expect(copyDatabase({ from: address, to: await makeAddress() })).rejects.toThrow(
      "the column hue of the table User, which is unknown to this version",
    );
  });

  it("is rejected by a database with content, which stays unchanged", async () => {
    const address = await makeAddress();
    const database = await connectDatabase(address);
    const { id } = await database.anime.findOrCreate({ key: "present" });
    await database.close();
    await expect(restoreDatabase({ ...address, file })).rejects.toThrow(/not empty: Anime/);
    const { rows } = await withPool(address, (pool) => pool.query(`SELECT "id" FROM "Anime"`));
    expect(rows).toEqual([{ id }]);
  });

  it("is written before a migration unless a server has too much content, and the newest before each of two migrations is retained", async () => {
    const { dataDir, databaseUrl } = await makeAddress();
    await restoreDatabase({ dataDir, databaseUrl, file });
    const pool = await openPool({ dataDir, databaseUrl, poolSize: 1 });
    const folder = path.join(dataDir, "backups");
    const options = { dataDir, schema: "public", isEmbedded: true, onLog: () => undefined } as const;
    async function backUpBefore(name: string): Promise<string[]> {
      await pool.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE $1", [`%_${name}`]);
      await backUpBeforeMigration({ pool, ...options });
      return (await readdir(folder)).sort();
    }
    const [covers] = await backUpBefore("covers");
    const [audit, ...others] = await backUpBefore("audit");
    expect(others).toEqual([covers]);
    expect(await backUpBefore("audit")).toEqual([expect.not.stringContaining(`${audit}`), covers]);
    expect(await backUpBefore("refunds")).toEqual([
      expect.stringContaining("_refunds-"),
      expect.stringContaining("_audit-"),
    ]);
    const logs: string[] = [];
    const onLog = (line: string) => void logs.push(line);
    await backUpBeforeMigration({ pool, ...options, isEmbedded: false, limitBytes: 1000, onLog });
    expect(logs).toEqual([expect.stringContaining("begin without a backup")]);
    await pool.end();
    const names = await readdir(folder);
    expect(names).toHaveLength(2);
    for (const name of names) expect((await verifyBackup(path.join(folder, name))).schemas).toHaveLength(2);
  });

  it("before a migration reports its progress up to the end", async () => {
    const { dataDir, databaseUrl } = await makeAddress();
    await restoreDatabase({ dataDir, databaseUrl, file });
    await withPool({ dataDir, databaseUrl }, (pool) =>
      pool.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%refunds'"),
    );
    const fractions: number[] = [];
    const showBackup = (write: (onProgress: (fraction: number) => void) => Promise<void>) =>
      write((fraction) => void fractions.push(fraction));
    await (await connectDatabase({ dataDir, databaseUrl, showBackup })).close();
    expect(fractions.length).toBeGreaterThan(12 * 2);
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
    expect([fractions[0], fractions.at(-1)]).toEqual([expect.closeTo(1 / 12, 1), 1]);
  });

  it("before a migration ends with its signal, leaves no draft, and deletes those of killed processes", async () => {
    const { dataDir, databaseUrl } = await makeAddress();
    await restoreDatabase({ dataDir, databaseUrl, file });
    const pool = await openPool({ dataDir, databaseUrl, poolSize: 1 });
    await pool.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%refunds'");
    const folder = path.join(dataDir, "backups");
    await mkdir(folder);
    const oldDraft = path.join(folder, "before-1.koma.0123456789ab.part");
    await writeFile(oldDraft, "");
    await utimes(oldDraft, 0, 0);
    const draftInUse = "before-1.koma.ba9876543210.part";
    await writeFile(path.join(folder, draftInUse), "");
    const interruption = new AbortController();
    const onLog = () => interruption.abort();
    const options = { pool, dataDir, schema: "public", isEmbedded: true, onLog } as const;
    await expect(backUpBeforeMigration({ ...options, signal: interruption.signal })).rejects.toThrow(
      "aborted",
    );
    await pool.end();
    expect(await readdir(folder)).toEqual([draftInUse]);
  });
});

async function* iterate(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
