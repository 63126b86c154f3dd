import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase, MigrationError, restoreDatabase } from "@koma/database";
import { describe, expect, it, onTestFinished } from "vitest";
import { stopEmbedded } from "../testing/stop-embedded.ts";
import { expectWorking, openBackup, readAll } from "./backup-content.ts";

const { root, source, file, makeAddress } = await openBackup();

describe("backup", () => {
  it("restores all rows into an empty embedded database, which accepts searches", async () => {
    const address = { dataDir: path.join(root, "restored") };
    await mkdir(address.dataDir);
    onTestFinished(() => stopEmbedded(address.dataDir, "SIGKILL"));
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
