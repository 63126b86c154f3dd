import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createEmptyDatabase } from "@koma/database/testing/databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkplace, type Workplace } from "./koma.ts";

const passphrase = "correct horse battery staple";
let workplace: Workplace;
let backup: string;
let secret: string;

beforeAll(async () => {
  workplace = await createWorkplace();
  expect((await workplace.koma("user", "create", "rin@site.example", "--name", "Rin")).code).toBe(0);
  await workplace.koma("credits", "grant", "rin@site.example", "7", "--reason", "test");
  secret = await readFile(workplace.path("data", "secret"), "utf8");
  await writeFile(workplace.path("passphrase"), `${passphrase}\n`);
  backup = workplace.path("koma.backup");
  const written = await workplace.koma("backup", backup, "--with-secret", workplace.path("passphrase"));
  expect(written).toMatchObject({ code: 0, stdout: `The backup is in ${backup}.\n`, stderr: "" });
});
afterAll(() => workplace.remove());

/** Runs a command on the embedded database of another data folder. */
async function runIn(folder: string, args: readonly string[], variables: Record<string, string> = {}) {
  return await workplace.run(args, { KOMA_DATA_DIR: workplace.path(folder), ...variables });
}

async function showCredits(folder: string, variables?: Record<string, string>): Promise<unknown> {
  const { stdout } = await runIn(folder, ["credits", "show", "rin@site.example", "--json"], variables);
  return JSON.parse(stdout).balance;
}

test("restores accounts and the secret into an empty data folder", async () => {
  const args = ["restore", backup, "--with-secret", workplace.path("passphrase")];
  const restored = await runIn("restored", args);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/^Restored \d+ rows\.\n$/)]);
  expect(await readFile(workplace.path("restored", "secret"), "utf8")).toBe(secret);
  expect(await showCredits("restored")).toBe(7);
  const again = await runIn("restored", ["restore", backup]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^koma: .* not empty: /)]);
});

test("backs up no empty embedded database, and no missing secret", async () => {
  await mkdir(workplace.path("empty"));
  const empty = await runIn("empty", ["backup", workplace.path("empty.backup")]);
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringMatching(/^koma: The database is empty/)]);
  const args = ["backup", workplace.path("empty.backup"), "--with-secret", workplace.path("passphrase")];
  const secretless = await runIn("empty", args);
  expect([secretless.code, secretless.stderr]).toEqual([
    1,
    expect.stringMatching(/^koma: There is no secret/),
  ]);
  await expect(stat(workplace.path("empty.backup"))).rejects.toThrow("ENOENT");
});

test("copies the database to PostgreSQL and back", async () => {
  const { url, remove } = await createEmptyDatabase();
  try {
    const variables = { DATABASE_URL: url };
    const there = await runIn("data", ["migrate-database", "to-postgresql"], variables);
    expect([there.code, there.stdout]).toEqual([
      0,
      expect.stringMatching(/^Copied \d+ rows\. Keep DATABASE_URL set\.\n$/),
    ]);
    expect(await showCredits("data", variables)).toBe(7);
    const again = await runIn("data", ["migrate-database", "to-postgresql"], variables);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^koma: .* not empty: /)]);
    const back = await runIn("copied", ["migrate-database", "to-embedded"], variables);
    expect([back.code, back.stdout]).toEqual([
      0,
      expect.stringMatching(/^Copied \d+ rows\. Unset DATABASE_URL\.\n$/),
    ]);
    expect(await showCredits("copied")).toBe(7);
  } finally {
    await remove();
  }
});
