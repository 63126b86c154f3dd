import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUpInThread, connectDatabase, listBackups, verifyBackup } from "@koma/database";
import { createTestDatabase } from "@koma/database/testing/databases";
import { afterAll, expect, test } from "vitest";
import { lastDue, scheduleBackups } from "../src/backups/scheduled-backups.ts";

const root = await mkdtemp(join(tmpdir(), "koma-backups-"));
const address = await createTestDatabase();
const database = await connectDatabase({ dataDir: root, databaseUrl: address.url });
afterAll(async () => {
  await database?.close();
  await address?.remove();
  await rm(root, { recursive: true });
});

function schedule(folder: string, backUp?: () => Promise<never>) {
  const logs: string[] = [];
  const source = { dataDir: root, databaseUrl: address.url, folder, retained: 2 };
  const backups = scheduleBackups({
    database,
    folder,
    // Half a day from now, so that no further backup is due during the test.
    at: new Date(Date.now() + 12 * 3_600_000).toTimeString().slice(0, 5),
    backUp: backUp ?? ((signal) => backUpInThread({ ...source, signal })),
    onLog: (line) => void logs.push(line),
  });
  return { ...backups, logs };
}

test("APIs that share a folder write one backup, which can be read, and delete old ones", async () => {
  const folder = join(root, "shared");
  const first = schedule(folder);
  await expect.poll(() => listBackups(folder)).toHaveLength(1);
  await expect.poll(() => first.logs).toHaveLength(1);
  await first.close();
  const [newest] = await listBackups(folder);
  expect((await verifyBackup(newest?.file ?? "")).schemas).toHaveLength(1);

  for (const day of ["01", "02", "03"])
    await writeFile(join(folder, `koma-2020-01-${day}T03-30-00Z.koma`), "");
  await writeFile(join(folder, "own-notes.txt"), "");
  await rm(newest?.file ?? "");
  const both = [schedule(folder), schedule(folder)];
  await expect.poll(() => both.flatMap(({ logs }) => logs)).toHaveLength(1);
  for (const backups of both) await backups.close();
  const left = (await listBackups(folder)).map(({ at }) => at.getUTCFullYear() === 2020);
  expect(left).toEqual([false, true]);
});

test("a failure is reported, and a stop ends a backup without a file", async () => {
  const folder = join(root, "failing");
  const failing = schedule(folder, () => Promise.reject(new Error("ENOSPC: no space left on device")));
  await expect.poll(() => failing.logs).toEqual([expect.stringContaining("ENOSPC")]);
  expect(await failing.status()).toEqual({ lastAt: undefined, failedAt: expect.any(Date) });
  await failing.close();
  const stopped = schedule(folder);
  await stopped.close();
  expect(stopped.logs).toEqual([]);
  expect(await listBackups(folder)).toEqual([]);
});

test.each([
  ["2026-03-10T03:29:59", "2026-03-09T03:30:00"],
  ["2026-03-10T03:30:00", "2026-03-10T03:30:00"],
  ["2026-01-01T00:00:00", "2025-12-31T03:30:00"],
])("at %s the last backup was due at %s", (now, due) => {
  expect(lastDue("03:30", new Date(now))).toEqual(new Date(due));
});
