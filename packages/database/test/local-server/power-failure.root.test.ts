// Requires root: the tests mount file systems.
import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase } from "@koma/database";
import { afterEach, describe, expect, inject, it } from "vitest";
import { stopEmbedded } from "../testing/stop-embedded.ts";

const dataPath = path.join("database", "postgresql-18");

describe("power failure", () => {
  const cleanups: (() => unknown)[] = [];

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** Mounts a disk, whose file contains only what the file system has written to it. */
  async function mount(file: string, folder: string): Promise<void> {
    await mkdir(folder);
    // The file system itself writes changes after ten minutes only.
    execFileSync("mount", ["-o", "loop,noatime,commit=600", file, folder]);
    cleanups.push(() => execFileSync("umount", [folder]));
  }

  /** Writes anime until the power fails after `count`; returns the lost ids of acknowledged ones. */
  async function failPowerAfter(count: number, options: { isFlushIgnored: boolean }): Promise<string[]> {
    const root = await mkdtemp(path.join(tmpdir(), "koma-power-"));
    cleanups.push(() => rm(root, { recursive: true }));
    const [disk, copy] = [path.join(root, "disk"), path.join(root, "copy")];
    execFileSync("truncate", ["--size=256M", disk]);
    execFileSync("mkfs.ext4", ["-q", "-F", disk]);
    const dataDir = path.join(root, "before");
    await mount(disk, dataDir);
    await cp(path.join(inject("preparedDataDir"), dataPath), path.join(dataDir, dataPath), {
      recursive: true,
    });
    if (options.isFlushIgnored) {
      await appendFile(path.join(dataDir, dataPath, "postgresql.conf"), "fsync = off\n");
    }
    execFileSync("sync", ["--file-system", dataDir]);
    cleanups.push(() => stopEmbedded(dataDir, "SIGKILL"));
    const database = await connectDatabase({ dataDir });
    const acknowledged: string[] = [];
    const isOver = () => acknowledged.length >= count;
    const writers = ["first", "second", "third"].map(async (writer) => {
      for (let index = 0; !isOver(); index++) {
        const { id } = await database.anime.findOrCreate({
          key: `${writer} ${index}`,
          title: "x".repeat(500),
        });
        acknowledged.push(id);
      }
    });
    await Promise.all(writers);
    await stopEmbedded(dataDir, "SIGKILL");
    execFileSync("cp", ["--sparse=always", disk, copy]);
    await database.close();
    const recoveredDir = path.join(root, "after");
    await mount(copy, recoveredDir);
    cleanups.push(() => stopEmbedded(recoveredDir, "SIGKILL"));
    const recovered = await connectDatabase({ dataDir: recoveredDir });
    cleanups.push(() => recovered.close());
    const found = new Set((await recovered.anime.findMany(acknowledged)).map(({ id }) => id));
    return acknowledged.filter((id) => !found.has(id));
  }

  it.each([1, 60])("loses no acknowledged write after %i writes", { timeout: 180_000 }, async (count) => {
    expect(await failPowerAfter(count, { isFlushIgnored: false })).toEqual([]);
  });

  it("loses writes in this test when flushes have no effect", { timeout: 180_000 }, async () => {
    expect(await failPowerAfter(20, { isFlushIgnored: true })).not.toEqual([]);
  });
});
