// Requires root: the test mounts a file system.
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase, isDatabaseUnavailable } from "@koma/database";
import { afterEach, expect, inject, it } from "vitest";
import { stopEmbedded } from "../testing/stop-embedded.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function mountFolder(size: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-disk-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  cleanups.push(() => execFileSync("umount", [folder]));
  return folder;
}

it("a first start without space names the reason", async () => {
  const dataDir = await mountFolder("2m");
  await expect(connectDatabase({ dataDir })).rejects.toThrow(/initdb: could not .*: No space left on device/);
});

it("a full disk makes the database unavailable, and free space available again", async () => {
  const dataDir = await mountFolder("120m");
  const data = path.join("database", "postgresql-18");
  await cp(path.join(inject("preparedDataDir"), data), path.join(dataDir, data), { recursive: true });
  cleanups.push(() => stopEmbedded(dataDir, "SIGKILL"));
  const database = await connectDatabase({ dataDir });
  cleanups.push(() => database.close());
  const ballast = path.join(dataDir, "ballast");
  const acknowledged: string[] = [];
  let count = 0;
  const write = async () => {
    const title = `${count++} ${"x".repeat(100_000)}`;
    acknowledged.push((await database.anime.findOrCreate({ key: `key ${count}`, title })).id);
  };
  await write();
  await fill(ballast);
  const failWrites = async () => {
    for (;;) await write();
  };
  const error: unknown = await failWrites().catch((reason: unknown) => reason);
  expect([String(error), isDatabaseUnavailable(error)]).toEqual([expect.anything(), true]);
  await rm(ballast);
  await expect.poll(() => write().then(() => "written")).toBe("written");
  const found = new Set((await database.anime.findMany(acknowledged)).map(({ id }) => id));
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
});

/** Writes until no space is left. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, "w");
  try {
    for (let size = 1024 * 1024; size >= 4096; ) {
      const { bytesWritten } = await handle.write(Buffer.alloc(size)).catch(() => ({ bytesWritten: 0 }));
      if (bytesWritten < size) size /= 2;
    }
  } finally {
    await handle.close();
  }
}
