import { readFile, stat, writeFile } from "node:fs/promises";
import { createEmptyDatabase, runAsAdmin, type TestDatabaseAddress } from "@koma/database/testing/databases";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { diagnose } from "../src/doctor/diagnose.ts";
import { createServerWorkplace, expectError, expectOutput } from "./koma.ts";

const passphrase = "correct horse battery staple";
const workplace = await createServerWorkplace();
afterAll(() => workplace.remove());
expect((await workplace.koma("user", "create", "rin@site.example", "--name", "Rin")).code).toBe(0);
await workplace.koma("credits", "grant", "rin@site.example", "7", "--reason", "test");
const secret = await readFile(workplace.path("data", "secret"), "utf8");
await writeFile(workplace.path("passphrase"), `${passphrase}\n`);
await writeFile(workplace.path("other-passphrase"), "another passphrase\n");
const backup = workplace.path("koma.backup");
const written = await workplace.koma("backup", backup, "--with-secret", workplace.path("passphrase"));
expect(written).toMatchObject({ code: 0, stdout: `The backup is in ${backup}.\n`, stderr: "" });

let empty: TestDatabaseAddress;
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
  expectError(await workplace.koma("backup", backup), `koma: ${backup} exists already.\n`);
});

test("without a file it writes into KOMA_BACKUP_FOLDER, and doctor reports the newest backup", async () => {
  expectError(await workplace.koma("backup"), "koma: name a file, or set KOMA_BACKUP_FOLDER.\n");
  const folder = { KOMA_BACKUP_FOLDER: workplace.path("scheduled") };
  const settings = { KOMA_DATA_DIR: workplace.path("data"), DATABASE_URL: workplace.databaseUrl };
  const readState = async () => (await diagnose({ ...settings, ...folder }, ["backups"])).at(-1)?.detail;
  expect(await readState()).toMatch(/There is no backup in .*scheduled yet/);
  expectOutput(
    await workplace.run(["backup"], folder),
    /^The backup is in .*scheduled\/koma-[\dTZ-]+\.koma\.\n/,
  );
  expect(await readState()).toMatch(/The newest backup is 0 hours old/);
});

test("restores accounts and the secret into an empty database", async () => {
  const args = ["restore", backup, "--with-secret", workplace.path("passphrase")];
  expectOutput(await runIn("restored", args), /^Restored \d+ rows\.\n$/);
  expect(await readFile(workplace.path("restored", "secret"), "utf8")).toBe(secret);
  expect(await showCredits("restored")).toBe(7);
  expectError(await runIn("restored", ["restore", backup]), /^koma: .* not empty: /);
});

test("names what a restore without the secret loses, and how to configure it", async () => {
  const { code, stdout } = await runIn("without-secret", ["restore", backup]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Restored \d+ rows\.\nNo secret is configured: .*\nThe backup has it, .* --with-secret .*\nWithout the secret of /,
    ),
  ]);
  expect(stdout).toMatch("KOMA_SECRET or KOMA_SECRET_FILE");
  expect(stdout).toMatch(workplace.path("without-secret", "secret"));
  expect(await showCredits("without-secret")).toBe(7);
});

test("names what a restore with another secret loses", async () => {
  expectOutput(
    await runIn("other-secret", ["restore", backup], { KOMA_SECRET: "x".repeat(32) }),
    /^Restored \d+ rows\.\nThe configured secret is not the one of the backup\.\nWithout the secret of /,
  );
});

test("rejects a wrong passphrase, another secret and a damaged file before any change", async () => {
  const wrongArgs = ["restore", backup, "--with-secret", workplace.path("other-passphrase")];
  expectError(await runIn("rejected", wrongArgs, embedded), "koma: The passphrase is wrong.\n");
  const args = ["restore", backup, "--with-secret", workplace.path("passphrase")];
  expectError(
    await runIn("rejected", args, { ...embedded, KOMA_SECRET: "x".repeat(32) }),
    /^koma: Another secret is configured/,
  );
  const damaged = workplace.path("damaged.backup");
  await writeFile(damaged, (await readFile(backup)).subarray(0, -20));
  expectError(await runIn("rejected", ["restore", damaged], embedded), /^koma: The backup is damaged/);
  await expect(stat(workplace.path("rejected", "database"))).rejects.toThrow("ENOENT");
});

test("backs up no empty database, and no missing secret", async () => {
  expectError(
    await runIn("empty", ["backup", workplace.path("empty.backup")]),
    /^koma: The database is empty/,
  );
  const args = ["backup", workplace.path("empty.backup"), "--with-secret", workplace.path("passphrase")];
  expectError(await runIn("empty", args), /^koma: There is no secret/);
  await expect(stat(workplace.path("empty.backup"))).rejects.toThrow("ENOENT");
});

test("restores into an empty data folder, and copies that to PostgreSQL and back", async () => {
  const args = ["restore", backup, "--with-secret", workplace.path("passphrase")];
  expectOutput(await runIn("embedded", args, embedded), /^Restored \d+ rows\.\n$/);
  expect(await showCredits("embedded", embedded)).toBe(7);
  expectOutput(
    await runIn("embedded", ["migrate-database", "to-postgresql"]),
    /^Copied \d+ rows\. Keep DATABASE_URL set\.\n$/,
  );
  expect(await showCredits("embedded")).toBe(7);
  expectError(await runIn("embedded", ["migrate-database", "to-postgresql"]), /^koma: .* not empty: /);
  expectOutput(
    await runIn("copied", ["migrate-database", "to-embedded"]),
    /^Copied \d+ rows\. Unset DATABASE_URL\.\n$/,
  );
  expect(await showCredits("copied", embedded)).toBe(7);
});

function pretendTerminal(): void {
  process.stderr.isTTY = true;
  onTestFinished(() => {
    process.stderr.isTTY = false;
  });
}

// A bar hides the cursor; it ends before its first frame here.
const bar = expect.stringContaining("\u001b[?25l");

test("on a terminal, backup and prepare show the progress of a backup", async () => {
  await runAsAdmin(
    workplace.databaseUrl,
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%refunds'",
  );
  pretendTerminal();
  const { code, stderr } = await workplace.koma("prepare");
  expect([code, stderr]).toEqual([0, expect.stringContaining("refunds")]);
  expect(stderr).toEqual(bar);
  const written = await workplace.koma("backup", workplace.path("shown.backup"));
  expect([written.code, written.stderr]).toEqual([0, bar]);
});

test("on a terminal, restore and migrate-database show their progress", async () => {
  pretendTerminal();
  expect(await runIn("shown", ["restore", backup])).toMatchObject({ code: 0, stderr: bar });
  expect(await runIn("shown", ["migrate-database", "to-embedded"])).toMatchObject({ code: 0, stderr: bar });
});

test("migrate-database needs DATABASE_URL", async () => {
  expectError(
    await runIn("data", ["migrate-database", "to-postgresql"], { DATABASE_URL: "" }),
    "koma: DATABASE_URL is needed.\n",
  );
});
