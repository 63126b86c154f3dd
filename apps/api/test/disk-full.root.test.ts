// Requires root: the test mounts a file system.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyLibrary } from "./fixtures/open-test-api.ts";
import { mainFile, startProcess } from "./fixtures/start-process.ts";

test("ends with the remedy when the disk has no space for the index", async () => {
  const { databaseUrl } = await copyLibrary();
  const dataDir = await mkdtemp(join(tmpdir(), "koma-disk-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=32k", "tmpfs", dataDir]);
  onTestFinished(() => void execFileSync("umount", [dataDir]));
  const { ready, ended } = startProcess(mainFile, { KOMA_DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  await expect(ready).rejects.toThrow();
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The disk of .* is full: free some space\. .*\n$/),
  ]);
});
