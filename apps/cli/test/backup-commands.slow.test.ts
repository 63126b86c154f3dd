import { readFile, stat, writeFile } from "node:fs/promises";
import { createEmptyDatabase, runAsAdmin, type TestDatabaseAddress } from "@koma/database/testing/databases";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { diagnose } from "../src/doctor/diagnose.ts";
import { createServerWorkplace, type ServerWorkplace } from "./koma.ts";

const passphrase = "correct horse battery staple";
let workplace: ServerWorkplace;
let backup: string;
let secret: string;
let empty: TestDatabaseAddress;

beforeAll(async () => {
  workplace = await createServerWorkplace();
  expect((await workplace.koma("user", "create", "rin@site.example", "--name", "Rin")).code).toBe(0);
  await workplace.koma("credits", "grant", "rin@site.example", "7", "--reason", "test");
  secret = await readFile(workplace.path("data", "secret"), "utf8");
  await writeFile(workplace.path("passphrase"), `${passphrase}\n`);
  await writeFile(workplace.path("other-passphrase"), "another passphrase\n");
  backup = workplace.path("koma.backup");
  const written = await workplace.koma("backup", backup, "--with-secret", workplace.path("passphrase"));
  expect(written).toMatchObject({ code: 0, stdout: `The backup is in ${backup}.\n`, stderr: "" });
});
afterAll(() => workplace.remove());
beforeEach(async () => {
  empty = await createEmptyDatabase();
});
afterEach(() => empty.remove());

/** Runs a command with another data folder and the empty database of the test. */
async function runIn(folder: string, args: readonly string[], variables: Record<string, string> = {}) {
  const settings = { KOMA_DATA_DIR: workplace.path(folder), DATABASE_URL: empty.url };
  return await workplace.run(args, { ...settings, ...variables });
}

const embedded = { DATABASE_URL: "" };

async function showCredits(folder: string, variables?: Record<string, string>): Promise<unknown> {
  const { stdout } = await runIn(folder, ["credits", "show", "rin@site.example", "--json"], variables);
  return JSON.parse(stdout).balance;
}

test("writes a file that only its owner can read, and does not replace it", async () => {
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  const again = await workplace.koma("backup", backup);
  expect([again.code, again.stderr]).toEqual([1, `koma: ${backup} exists already.\n`]);
});

test("without a file it writes into KOMA_BACKUP_FOLDER, and doctor reports the newest backup", async () => {
  const unset = await workplace.koma("backup");
  expect([unset.code, unset.stderr]).toEqual([1, "koma: name a file, or set KOMA_BACKUP_FOLDER.\n"]);
  const folder = { KOMA_BACKUP_FOLDER: workplace.path("scheduled") };
  const settings = { KOMA_DATA_DIR: workplace.path("data"), DATABASE_URL: workplace.databaseUrl };
  const readState = async () => (await diagnose({ ...settings, ...folder }, ["backups"])).at(-1)?.detail;
  expect(await readState()).toMatch(/There is no backup in .*scheduled yet/);
  const { code, stdout } = await workplace.run(["backup"], folder);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^The backup is in .*scheduled\/koma-[\dTZ-]+\.koma\.\n/),
  ]);
  expect(await readState()).toMatch(/The newest backup is 0 hours old/);
});

test("restores accounts and the secret into an empty database", async () => {
  const args = ["restore", backup, "--with-secret", workplace.path("passphrase")];
  const restored = await runIn("restored", args);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/^Restored \d+ rows\.\n$/)]);
  expect(await readFile(workplace.path("restored", "secret"), "utf8")).toBe(secret);
  expect(await showCredits("restored")).toBe(7);
  const again = await runIn("restored", ["restore", backup]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^koma: .* not empty: /)]);
});

test("names what a restore without the secret loses", async () => {
  const restored = await runIn("without-secret", ["restore", backup]);
  expect([restored.code, restored.stdout]).toEqual([
    0,
    expect.stringMatching(/^Restored \d+ rows\.\nThe configured secret is not the one of the backup\.\n/),
  ]);
  expect(await showCredits("without-secret")).toBe(7);
});

test("rejects a wrong passphrase, another secret and a damaged file before any change", async () => {
  const wrongArgs = ["restore", backup, "--with-secret", workplace.path("other-passphrase")];
  const wrong = await runIn("rejected", wrongArgs, embedded);
  expect([wrong.code, wrong.stderr]).toEqual([1, "koma: The passphrase is wrong.\n"]);
  const args = ["restore", backup, "--with-secret", workplace.path("passphrase")];
  const other = await runIn("rejected", args, { ...embedded, KOMA_SECRET: "x".repeat(32) });
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringMatching(/^koma: Another secret is configured/),
  ]);
  const damaged = workplace.path("damaged.backup");
  await writeFile(damaged, (await readFile(backup)).subarray(0, -20));
  const truncated = await runIn("rejected", ["restore", damaged], embedded);
  expect([truncated.code, truncated.stderr]).toEqual([
    1,
    expect.stringMatching(/^koma: The backup is damaged/),
  ]);
  await expect(stat(workplace.path("rejected", "database"))).rejects.toThrow("ENOENT");
});

test("backs up no empty database, and no missing secret", async () => {
  const first = await runIn("empty", ["backup", workplace.path("empty.backup")]);
  expect([first.code, first.stderr]).toEqual([1, expect.stringMatching(/^koma: The database is empty/)]);
  const args = ["backup", workplace.path("empty.backup"), "--with-secret", workplace.path("passphrase")];
  const secretless = await runIn("empty", args);
  expect([secretless.code, secretless.stderr]).toEqual([
    1,
    expect.stringMatching(/^koma: There is no secret/),
  ]);
  await expect(stat(workplace.path("empty.backup"))).rejects.toThrow("ENOENT");
});

test("restores into an empty data folder, and copies that to PostgreSQL and back", async () => {
  const args = ["restore", backup, "--with-secret", workplace.path("passphrase")];
  const restored = await runIn("embedded", args, embedded);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/^Restored \d+ rows\.\n$/)]);
  expect(await showCredits("embedded", embedded)).toBe(7);
  const there = await runIn("embedded", ["migrate-database", "to-postgresql"]);
  expect([there.code, there.stdout]).toEqual([
    0,
    expect.stringMatching(/^Copied \d+ rows\. Keep DATABASE_URL set\.\n$/),
  ]);
  expect(await showCredits("embedded")).toBe(7);
  const again = await runIn("embedded", ["migrate-database", "to-postgresql"]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^koma: .* not empty: /)]);
  const back = await runIn("copied", ["migrate-database", "to-embedded"]);
  expect([back.code, back.stdout]).toEqual([
    0,
    expect.stringMatching(/^Copied \d+ rows\. Unset DATABASE_URL\.\n$/),
  ]);
  expect(await showCredits("copied", embedded)).toBe(7);
});

test("on a terminal, backup and prepare show the progress of a backup", async () => {
  await runAsAdmin(
    workplace.databaseUrl,
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%refunds'",
  );
  process.stderr.isTTY = true;
  onTestFinished(() => {
    process.stderr.isTTY = false;
  });
  const { code, stderr } = await workplace.koma("prepare");
  // A bar hides the cursor; this one ends before its first frame.
  expect([code, stderr]).toEqual([0, expect.stringContaining("refunds")]);
  expect(stderr).toContain("\u001b[?25l");
  const written = await workplace.koma("backup", workplace.path("shown.backup"));
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining("\u001b[?25l")]);
});

test("migrate-database needs DATABASE_URL", async () => {
  const run = await runIn("data", ["migrate-database", "to-postgresql"], { DATABASE_URL: "" });
  expect([run.code, run.stderr]).toEqual([1, "koma: DATABASE_URL is needed.\n"]);
});
