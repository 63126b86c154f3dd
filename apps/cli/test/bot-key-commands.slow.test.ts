import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { readBotConfig } from "@koma/bot-core";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createServerWorkplace, createWorkplace, expectError, expectOutput } from "./koma.ts";
import { type UseAccounts, useAccounts } from "./use-accounts.ts";

const workplace = await createServerWorkplace();
afterAll(() => workplace.remove());

/** Runs a command whose words have no spaces. */
const koma = (command: string) => workplace.koma(...command.split(" "));
const json = async (command: string) => JSON.parse((await koma(`${command} --json`)).stdout);
const withAccounts = (use: UseAccounts) => useAccounts(workplace, use);

test("creates bots whose keys act for chat users, and blocks chat users", async () => {
  const bot = await json("user create bot@site.example --bot");
  expect(bot).toMatchObject({ isBot: true, key: expect.stringMatching(/^koma_\w{52}$/) });
  expect(bot.password).toBeUndefined();
  await withAccounts(async ({ authenticate }) => {
    const found = await authenticate({ authorization: `Bearer ${bot.key}` });
    expect(found).toMatchObject({ userId: bot.id, isBot: true });
  });
  expect(await json("bot block discord:123 --note spam")).toEqual({
    kind: "user",
    name: "discord:123",
    isBlocked: true,
  });
  expect((await koma("bot block telegram:server:-100123")).stdout).toBe(
    "The server telegram:-100123 is blocked.\n",
  );
  await withAccounts(async (_accounts, { database, hashes }) => {
    const found = await database.chatBlocks.find([hashes.server("telegram:-100123")]);
    expect(found).toMatchObject({ kind: "server" });
  });
  expect((await koma("bot unblock discord:123")).stdout).toBe("discord:123 is no longer blocked.\n");
  expectError(await koma("bot unblock discord:123"), "koma: discord:123 is not blocked.\n");
});

test.each([
  "bot block irc:1",
  "bot block discord:-1",
  "bot block discord:server:-1",
  "bot block discord:server:server:1",
])("koma %s is wrong usage", async (command) => {
  expectError(await koma(command), /must look like discord:123/, 2);
});

test("creates the key of the bots once, does not print it, and replaces an unknown one", async () => {
  const file = workplace.path("data", "bot-key");
  const ensure = () => koma("bot key ensure");
  const first = await ensure();
  const key = await readFile(file, "utf8");
  expect([key, (await stat(file)).mode & 0o777]).toEqual([expect.stringMatching(/^koma_\w{52}\n$/), 0o600]);
  expect(first).toEqual({ code: 0, stdout: "", stderr: "" });
  await ensure();
  expect(await readFile(file, "utf8")).toBe(key);
  const bot = await json("user show bot@koma.invalid");
  await withAccounts(async ({ authenticate, keys }) => {
    expect(await authenticate({ authorization: `Bearer ${key.trim()}` })).toMatchObject({
      userId: bot.id,
      isBot: true,
    });
    expect(await keys.list({ userId: bot.id, page: 1, pageSize: 10 })).toMatchObject({ total: 1 });
  });
  await writeFile(file, "koma_of_another_database\n");
  await ensure();
  const renewed = await readFile(file, "utf8");
  expect([renewed === key, (await stat(file)).mode & 0o777]).toEqual([false, 0o600]);
  await koma("user disable bot@koma.invalid");
  expect((await ensure()).code).toBe(0);
  expect(await readFile(file, "utf8")).toBe(renewed);
});

test("writes credentials with which a bot works without the settings of the API", async () => {
  const folder = workplace.path("bot credentials");
  const names = ["bot-key", "vault-key", "database-url"];
  const read = async () =>
    await Promise.all(names.map(async (name) => await readFile(`${folder}/${name}`, "utf8")));
  expect(await workplace.koma("bot", "credentials", folder)).toMatchObject({ code: 0, stdout: "" });
  const first = await read();
  for (const name of names) expect((await stat(`${folder}/${name}`)).mode & 0o777).toBe(0o600);
  expect((await workplace.koma("bot", "credentials", folder)).code).toBe(0);
  expect(await read()).toEqual(first);
  const bot = await readBotConfig("discord", {
    DISCORD_TOKEN: "token",
    KOMA_DATA_DIR: workplace.path("no data"),
    KOMA_BOT_KEY_FILE: `${folder}/bot-key`,
    KOMA_VAULT_KEY_FILE: `${folder}/vault-key`,
    KOMA_BOT_DATABASE_URL_FILE: `${folder}/database-url`,
  });
  const together = await readBotConfig("discord", {
    DISCORD_TOKEN: "token",
    KOMA_DATA_DIR: workplace.path("data"),
  });
  expect([bot.botKey, bot.vaultKeys]).toEqual([together.botKey, together.vaultKeys]);
  const client = new pg.Client(bot.botDatabaseUrl);
  await client.connect();
  try {
    expect((await client.query('SELECT * FROM bots."LinkedAccount"')).rows).toEqual([]);
    await expect(client.query('SELECT * FROM public."User"')).rejects.toThrow("permission denied");
  } finally {
    await client.end();
  }
  expectError(
    await workplace.run(["bot", "credentials", folder], { DATABASE_URL: "" }),
    /DATABASE_URL is required/,
    78,
  );
});

test("prepares without a bot key", async () => {
  await rm(workplace.path("data", "bot-key"), { force: true });
  const { code } = await koma("prepare --json");
  expect(code).toBe(0);
  await expect(stat(workplace.path("data", "bot-key"))).rejects.toThrow("ENOENT");
});

test("replaces the bot key of this machine, lists bot keys and revokes others", async () => {
  await koma("user enable bot@koma.invalid");
  await koma("bot key ensure");
  const file = workplace.path("data", "bot-key");
  const before = (await readFile(file, "utf8")).trim();
  const other = await json("bot key create --title Elsewhere");
  expectOutput(
    await koma("bot key rotate"),
    "The bot key is replaced, the previous one is revoked. Restart the bots.\n",
  );
  const after = (await readFile(file, "utf8")).trim();
  const authenticateAll = () =>
    withAccounts(async ({ authenticate }) => {
      const found = [before, after, String(other.key)].map((key) =>
        authenticate({ authorization: `Bearer ${key}` }),
      );
      states = (await Promise.all(found)).map((one) => one !== undefined && !("problem" in one));
    });
  let states: boolean[] = [];
  await authenticateAll();
  expect([states, (await stat(file)).mode & 0o777]).toEqual([[false, true, true], 0o600]);
  expect((await koma("bot key list")).stdout).toMatch(/Elsewhere +koma_\w{4}… +\d{4}-/);
  expect((await koma(`bot key revoke ${other.id}`)).code).toBe(0);
  expect((await koma(`bot key revoke ${other.id}`)).code).toBe(1);
  await authenticateAll();
  expect(states).toEqual([false, true, false]);
});

test("two processes at once create one key of the bots on a new embedded database, and print none", async () => {
  const embedded = await createWorkplace();
  try {
    const ensure = () => embedded.start(["bot", "key", "ensure"]).ended;
    const both = await Promise.all([ensure(), ensure()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain("koma_");
    const { stdout } = await embedded.koma("bot", "key", "list", "--json");
    const keys = stdout.trimEnd().split("\n");
    expect(keys).toHaveLength(1);
    const key = await readFile(embedded.path("data", "bot-key"), "utf8");
    expect(key).toContain(JSON.parse(keys[0] ?? "").start);
  } finally {
    await embedded.remove();
  }
});
