import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  backUpDatabase,
  connectDatabase,
  type DatabaseAddress,
  MigrationError,
  restoreDatabase,
} from "@koma/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmptyDatabase } from "../testing/databases.ts";
import { stopEmbedded } from "../testing/stop-embedded.ts";
import { expectWorking, fillDatabase, readAll } from "./backup-content.ts";

describe("backup", () => {
  let root: string;
  let source: DatabaseAddress;
  let file: string;
  const cleanups: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "koma-backup-"));
    source = await makeAddress();
    await fillDatabase(source);
    file = path.join(root, "backup.koma");
    await backUpDatabase({ ...source, file });
  });

  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
    await rm(root, { recursive: true, force: true });
  });

  async function makeAddress(): Promise<DatabaseAddress> {
    const { url: databaseUrl, remove } = await createEmptyDatabase();
    cleanups.push(remove);
    return { dataDir: root, databaseUrl };
  }

  it("restores all rows into an empty embedded database, which accepts searches", async () => {
    const address = { dataDir: path.join(root, "restored") };
    await mkdir(address.dataDir);
    cleanups.push(() => stopEmbedded(address.dataDir, "SIGKILL"));
    expect(await restoreDatabase({ ...address, file })).toBeGreaterThan(12 * 2);
    expect(await readAll(address)).toEqual(await readAll(source));
    await expectWorking(address);
  });

  it("marks the database as incomplete when its restore is killed", async () => {
    const address = await makeAddress();
    const script = fileURLToPath(new URL("restore-until-killed.mjs", import.meta.url));
    const values = [script, file, address.dataDir, address.databaseUrl ?? ""];
    const { signal } = spawnSync(process.execPath, values);
    expect(signal).toBe("SIGKILL");
    const error = await connectDatabase(address).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MigrationError);
    expect(String(error)).toMatch(/restore into this database did not complete/i);
    await expect(restoreDatabase({ ...address, file })).rejects.toThrow(/did not complete/);
  });
});
