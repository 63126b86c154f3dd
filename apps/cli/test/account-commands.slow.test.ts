import { readFile, rm, stat, writeFile } from "node:fs/promises";
import {
  type Accounts,
  type CallerHashes,
  createCallerHashes,
  openAccounts,
  openSecret,
} from "@koma/accounts";
import { readBotConfig } from "@koma/bot-core";
import { parseConfiguration } from "@koma/config";
import { connectDatabase, type Database } from "@koma/database";
import { URI } from "otpauth";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createServerWorkplace, type ServerWorkplace } from "./koma.ts";

let workplace: ServerWorkplace;
beforeAll(async () => {
  workplace = await createServerWorkplace();
});
afterAll(() => workplace.remove());

const json = async (...args: string[]) => JSON.parse((await workplace.koma(...args, "--json")).stdout);

test("creates accounts that can sign in and shows them as text and JSON", async () => {
  const created = await workplace.koma("user", "create", "Rin@site.example", "--name", "Rin");
  expect([created.code, created.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Created the account rin@site\.example \(id \w+\)\.\nPassword, shown only once: \S{24}\n$/,
    ),
  ]);
  const password = /: (\S{24})$/m.exec(created.stdout)?.[1];
  await withAccounts(async ({ handler }) => {
    const request = new Request("http://localhost/api/auth/sign-in/email", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "rin@site.example", password }),
    });
    expect((await handler(request, "192.0.2.1")).status).toBe(200);
  });
  const again = await workplace.koma("user", "create", "rin@site.example");
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^koma: another account has this address: .*\n$/m),
  ]);
  const { stdout } = await workplace.koma("user", "list");
  expect(stdout).toMatch(/^Address +Name +Credits +Since +Id$/m);
  expect(stdout).toMatch(/^rin@site\.example +Rin +0 +\d{4}-\d\d-\d\d +\w+$/m);
  const shown = await json("user", "show", "RIN@site.example");
  expect(await json("user", "show", shown.id)).toEqual(shown);
  expect(shown).toMatchObject({
    email: "rin@site.example",
    isBot: false,
    isDisabled: false,
    purchasedCredits: 0,
  });
});

test("grants and removes the operator role, and rejects it for bots", async () => {
  const created = await workplace.koma("user", "admin", "rin@site.example");
  expect([created.code, created.stdout]).toEqual([0, "rin@site.example is now an operator.\n"]);
  expect(await json("user", "show", "rin@site.example")).toMatchObject({ isAdmin: true });
  expect(await json("user", "admin", "rin@site.example", "--remove")).toMatchObject({ isAdmin: false });
  expect(await json("user", "create", "boss@site.example", "--admin")).toMatchObject({ isAdmin: true });
  await workplace.koma("user", "create", "helper@site.example", "--bot");
  const bot = await workplace.koma("user", "admin", "helper@site.example");
  expect([bot.code, bot.stderr]).toEqual([
    1,
    "koma: helper@site.example is a bot; a bot cannot be an operator.\n",
  ]);
  expect((await workplace.koma("user", "create", "x@site.example", "--admin", "--bot")).code).toBe(2);
  for (const name of ["boss", "helper"]) await workplace.koma("user", "delete", `${name}@site.example`);
});

test("grants credits with a reason and lists the changes", async () => {
  const grant = ["credits", "grant", "rin@site.example"];
  expect((await workplace.koma(...grant, "1200", "--reason", "a gift")).stdout).toBe(
    "Granted 1,200 credits to rin@site.example; balance: 1,200.\n",
  );
  expect(await json(...grant, "5", "--reason", "another")).toMatchObject({ granted: 5, balance: 1205 });
  const { stdout } = await workplace.koma("credits", "show", "rin@site.example");
  expect(stdout).toMatch(/^rin@site\.example has 1,205 credits\.$/m);
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d +\+1,200 +grant +a gift$/m);
  expect(await json("credits", "show", "rin@site.example")).toMatchObject({
    balance: 1205,
    total: 2,
    entries: [{ amount: 5, reason: "another" }, { amount: 1200 }],
  });
  const { code, stderr } = await workplace.koma(
    "credits",
    "grant",
    "nobody@site.example",
    "1",
    "--reason",
    "x",
  );
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^koma: there is no user nobody@site\.example: .*\n$/m),
  ]);
});

test("disables, enables and deletes accounts", async () => {
  expect((await workplace.koma("user", "disable", "rin@site.example")).stdout).toBe(
    "rin@site.example is disabled.\n",
  );
  expect((await workplace.koma("user", "show", "rin@site.example")).stdout).toMatch(/^State +disabled$/m);
  expect(await json("user", "enable", "rin@site.example")).toMatchObject({ isDisabled: false });
  expect((await workplace.koma("user", "delete", "rin@site.example")).stdout).toBe(
    "rin@site.example is deleted.\n",
  );
  expect((await workplace.koma("user", "show", "rin@site.example")).code).toBe(1);
  expect((await workplace.koma("user", "list")).stdout).toBe("There are no users.\n");
});

test("deletes an account by the earlier name of the command as well", async () => {
  await workplace.koma("user", "create", "old@site.example");
  expect(await workplace.koma("user", "forget", "old@site.example")).toMatchObject({
    code: 0,
    stdout: "old@site.example is deleted.\n",
  });
});

test("creates bots whose keys act for chat users, and blocks chat users", async () => {
  const bot = await json("user", "create", "bot@site.example", "--bot");
  expect(bot).toMatchObject({ isBot: true, key: expect.stringMatching(/^koma_\w{52}$/) });
  expect(bot.password).toBeUndefined();
  await withAccounts(async ({ authenticate }) => {
    const found = await authenticate({ authorization: `Bearer ${bot.key}` });
    expect(found).toMatchObject({ userId: bot.id, isBot: true });
  });
  expect(await json("bot", "block", "discord:123", "--note", "spam")).toEqual({
    kind: "user",
    name: "discord:123",
    isBlocked: true,
  });
  expect((await workplace.koma("bot", "block", "telegram:server:-100123")).stdout).toBe(
    "The server telegram:-100123 is blocked.\n",
  );
  await withAccounts(async (_accounts, { database, hashes }) => {
    const found = await database.chatBlocks.find([hashes.server("telegram:-100123")]);
    expect(found).toMatchObject({ kind: "server" });
  });
  expect((await workplace.koma("bot", "unblock", "discord:123")).stdout).toBe(
    "discord:123 is no longer blocked.\n",
  );
  const { code, stderr } = await workplace.koma("bot", "unblock", "discord:123");
  expect([code, stderr]).toEqual([1, "koma: discord:123 is not blocked.\n"]);
});

test.each([
  [["user", "create", "nobody"], /must look like name@site\.example/],
  [["user", "create"], /missing required argument 'email'/],
  [["credits", "grant", "x@site.example", "0", "--reason", "x"], /whole number from 1/],
  [["credits", "grant", "x@site.example", "1.5", "--reason", "x"], /whole number from 1/],
  [["credits", "grant", "x@site.example", "1"], /required option '--reason <text>'/],
  [["bot", "block", "irc:1"], /must look like discord:123/],
  [["bot", "block", "discord:-1"], /must look like discord:123/],
  [["bot", "block", "discord:server:-1"], /must look like discord:123/],
  [["bot", "block", "discord:server:server:1"], /must look like discord:123/],
])("koma %j is wrong usage", async (args, message) => {
  const { code, stderr } = await workplace.koma(...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test("creates the key of the bots once, does not print it, and replaces an unknown one", async () => {
  const file = workplace.path("data", "bot-key");
  const ensure = () => workplace.koma("bot", "key", "ensure");
  const first = await ensure();
  const key = await readFile(file, "utf8");
  expect([key, (await stat(file)).mode & 0o777]).toEqual([expect.stringMatching(/^koma_\w{52}\n$/), 0o600]);
  expect(first).toEqual({ code: 0, stdout: "", stderr: "" });
  await ensure();
  expect(await readFile(file, "utf8")).toBe(key);
  const bot = await json("user", "show", "bot@koma.invalid");
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
  await workplace.koma("user", "disable", "bot@koma.invalid");
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
  const embedded = await workplace.run(["bot", "credentials", folder], { DATABASE_URL: "" });
  expect([embedded.code, embedded.stderr]).toEqual([1, expect.stringContaining("DATABASE_URL is required")]);
});

test("prepares without a bot key", async () => {
  await rm(workplace.path("data", "bot-key"), { force: true });
  const { code } = await workplace.koma("prepare", "--json");
  expect(code).toBe(0);
  await expect(stat(workplace.path("data", "bot-key"))).rejects.toThrow("ENOENT");
});

test("replaces the bot key of this machine, lists bot keys and revokes others", async () => {
  await workplace.koma("user", "enable", "bot@koma.invalid");
  await workplace.koma("bot", "key", "ensure");
  const file = workplace.path("data", "bot-key");
  const before = (await readFile(file, "utf8")).trim();
  const other = await json("bot", "key", "create", "--title", "Elsewhere");
  const rotated = await workplace.koma("bot", "key", "rotate");
  expect([rotated.code, rotated.stdout]).toEqual([
    0,
    "The bot key is replaced, the previous one is revoked. Restart the bots.\n",
  ]);
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
  expect((await workplace.koma("bot", "key", "list")).stdout).toMatch(/Elsewhere +koma_\w{4}… +\d{4}-/);
  expect((await workplace.koma("bot", "key", "revoke", String(other.id))).code).toBe(0);
  expect((await workplace.koma("bot", "key", "revoke", String(other.id))).code).toBe(1);
  await authenticateAll();
  expect(states).toEqual([false, true, false]);
});

test("removes the second factor of a user, ends all sessions and logs it", async () => {
  const { id, password } = await json("user", "create", "lost@site.example");
  const none = await workplace.koma("user", "reset-2fa", "lost@site.example");
  expect([none.code, none.stderr]).toEqual([1, "koma: lost@site.example has no second factor.\n"]);
  const post = async ({ handler }: Accounts, path: string, body: object, cookie = "") => {
    const request = new Request(`http://localhost/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://localhost:3000", cookie },
      body: JSON.stringify(body),
    });
    const response = await handler(request, "192.0.2.9");
    expect(response.status).toBe(200);
    const cookies = response.headers.getSetCookie().map((set) => set.split(";", 1)[0]);
    return { cookie: cookies.join("; "), body: (await response.json()) as { totpURI: string } };
  };
  const signIn = { email: "lost@site.example", password };
  let session = "";
  await withAccounts(async (accounts) => {
    const { cookie } = await post(accounts, "sign-in/email", signIn);
    const { totpURI } = (await post(accounts, "two-factor/enable", { password }, cookie)).body;
    const code = URI.parse(totpURI).generate();
    const enabled = await post(accounts, "two-factor/verify-totp", { code }, cookie);
    expect((await post(accounts, "sign-in/email", signIn)).body).toMatchObject({ twoFactorRedirect: true });
    session = enabled.cookie;
    expect(await accounts.authenticate({ cookie: session })).toMatchObject({ userId: id });
  });
  expect((await workplace.koma("user", "show", id)).stdout).toMatch(/^2FA +on$/m);
  const reset = await workplace.koma("user", "reset-2fa", "lost@site.example");
  expect([reset.code, reset.stdout]).toEqual([
    0,
    "The second factor of lost@site.example is removed; all sessions have ended.\n",
  ]);
  await withAccounts(async (accounts) => {
    expect(await accounts.authenticate({ cookie: session })).toEqual({ problem: "unauthenticated" });
    expect((await post(accounts, "sign-in/email", signIn)).body).toMatchObject({ user: { id } });
  });
  const { stdout } = await workplace.koma("audit", "--json", "--limit", "1");
  expect(JSON.parse(stdout)).toMatchObject({ action: "user.reset-2fa", target: `user:${id}` });
  await workplace.koma("user", "delete", id);
});

test("logs the actions of operators", async () => {
  const user = await json("user", "create", "audited@site.example");
  await workplace.koma("credits", "grant", "audited@site.example", "3000000000", "--reason", "large");
  await workplace.koma("user", "admin", "audited@site.example");
  await workplace.koma("user", "disable", "audited@site.example");
  await workplace.koma("user", "delete", "audited@site.example");
  await workplace.koma("user", "delete", "audited@site.example");
  const { stdout } = await workplace.koma("audit", "--json", "--limit", "500");
  const entries = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ target }) => target === `user:${user.id}`);
  expect(entries.map(({ action }) => action).reverse()).toEqual([
    "user.create",
    "credits.grant",
    "user.admin",
    "user.disable",
    "user.delete",
  ]);
  expect(entries.at(-2)).toMatchObject({
    actor: expect.stringMatching(/^cli:./),
    details: { amount: 3_000_000_000, reason: "large" },
  });
  expect((await workplace.koma("audit", "--limit", "1")).stdout).toMatch(/cli:\S+ +user\.delete/);
});

/** The accounts in the database of the workplace, opened as by the API. */
async function withAccounts(
  use: (accounts: Accounts, beside: { database: Database; hashes: CallerHashes }) => Promise<void>,
): Promise<void> {
  const dataDir = workplace.path("data");
  const database = await connectDatabase({ dataDir, databaseUrl: workplace.databaseUrl });
  const secret = await openSecret({ dataDir });
  const accounts = openAccounts({
    database,
    configuration: parseConfiguration({}),
    secret,
    baseUrl: () => "http://localhost:3000",
    trustedOrigins: [],
    log: () => {},
  });
  await use(accounts, { database, hashes: createCallerHashes(secret) }).finally(() => database.close());
}
