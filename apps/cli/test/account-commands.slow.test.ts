import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createServerWorkplace, expectError, expectOutput, parseLines } from "./koma.ts";
import { type UseAccounts, useAccounts } from "./use-accounts.ts";

const workplace = await createServerWorkplace();
afterAll(() => workplace.remove());

/** Runs a command whose words have no spaces. */
const koma = (command: string) => workplace.koma(...command.split(" "));
const json = async (command: string) => JSON.parse((await koma(`${command} --json`)).stdout);
const withAccounts = (use: UseAccounts) => useAccounts(workplace, use);

test("creates accounts that can sign in and shows them as text and JSON", async () => {
  const created = await koma("user create Rin@site.example --name Rin");
  expectOutput(
    created,
    /^Created the account rin@site\.example \(id \w+\)\.\nPassword, shown only once: \S{24}\n$/,
  );
  const password = /: (\S{24})$/m.exec(created.stdout)?.[1];
  await withAccounts(async ({ handler }) => {
    const request = new Request("http://localhost/api/auth/sign-in/email", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "rin@site.example", password }),
    });
    expect((await handler(request, "192.0.2.1")).status).toBe(200);
  });
  expectError(await koma("user create rin@site.example"), /^koma: another account has this address: .*\n$/m);
  const { stdout } = await koma("user list");
  expect(stdout).toMatch(/^Address +Name +Credits +Since +Id$/m);
  expect(stdout).toMatch(/^rin@site\.example +Rin +0 +\d{4}-\d\d-\d\d +\w+$/m);
  const shown = await json("user show RIN@site.example");
  expect(await json(`user show ${shown.id}`)).toEqual(shown);
  expect(shown).toMatchObject({
    email: "rin@site.example",
    isBot: false,
    isDisabled: false,
    purchasedCredits: 0,
  });
});

test("grants and removes the operator role, and rejects it for bots", async () => {
  expectOutput(await koma("user admin rin@site.example"), "rin@site.example is now an operator.\n");
  expect(await json("user show rin@site.example")).toMatchObject({ isAdmin: true });
  expect(await json("user admin rin@site.example --remove")).toMatchObject({ isAdmin: false });
  expect(await json("user create boss@site.example --admin")).toMatchObject({ isAdmin: true });
  await koma("user create helper@site.example --bot");
  expectError(
    await koma("user admin helper@site.example"),
    "koma: helper@site.example is a bot; a bot cannot be an operator.\n",
  );
  expect((await koma("user create x@site.example --admin --bot")).code).toBe(2);
  for (const name of ["boss", "helper"]) await koma(`user delete ${name}@site.example`);
});

test("grants credits with a reason and lists the changes", async () => {
  const grant = "credits grant rin@site.example";
  expect((await koma(`${grant} 1200 --reason gift`)).stdout).toBe(
    "Granted 1,200 credits to rin@site.example; balance: 1,200.\n",
  );
  expect(await json(`${grant} 5 --reason another`)).toMatchObject({ granted: 5, balance: 1205 });
  const { stdout } = await koma("credits show rin@site.example");
  expect(stdout).toMatch(/^rin@site\.example has 1,205 credits\.$/m);
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d +\+1,200 +grant +gift$/m);
  expect(await json("credits show rin@site.example")).toMatchObject({
    balance: 1205,
    total: 2,
    entries: [{ amount: 5, reason: "another" }, { amount: 1200 }],
  });
  expectError(
    await koma("credits grant nobody@site.example 1 --reason x"),
    /^koma: there is no user nobody@site\.example: .*\n$/m,
  );
});

test("disables, enables and deletes accounts", async () => {
  expect((await koma("user disable rin@site.example")).stdout).toBe("rin@site.example is disabled.\n");
  expect((await koma("user show rin@site.example")).stdout).toMatch(/^State +disabled$/m);
  expect(await json("user enable rin@site.example")).toMatchObject({ isDisabled: false });
  expect((await koma("user delete rin@site.example")).stdout).toBe("rin@site.example is deleted.\n");
  expect((await koma("user show rin@site.example")).code).toBe(1);
  expect((await koma("user list")).stdout).toBe("There are no users.\n");
  // The earlier name of the command.
  await koma("user create old@site.example");
  expect(await koma("user forget old@site.example")).toMatchObject({
    code: 0,
    stdout: "old@site.example is deleted.\n",
  });
});

test.each([
  ["user create nobody", /must look like name@site\.example/],
  ["user create", /missing required argument 'email'/],
  ["credits grant x@site.example 0 --reason x", /whole number from 1/],
  ["credits grant x@site.example 1.5 --reason x", /whole number from 1/],
  ["credits grant x@site.example 1", /required option '--reason <text>'/],
])("koma %s is wrong usage", async (command, message) => {
  const { code, stderr } = await koma(command);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test("removes the second factor of a user, and logs it", async () => {
  const { id } = await json("user create lost@site.example");
  expectError(
    await koma("user reset-2fa lost@site.example"),
    "koma: lost@site.example has no second factor.\n",
  );
  const database = new pg.Client(workplace.databaseUrl);
  await database.connect();
  await database.query('UPDATE "User" SET "twoFactorEnabled" = true WHERE "id" = $1', [id]);
  await database.end();
  expect((await koma(`user show ${id}`)).stdout).toMatch(/^2FA +on$/m);
  expectOutput(
    await koma("user reset-2fa lost@site.example"),
    "The second factor of lost@site.example is removed; all sessions have ended.\n",
  );
  expect((await koma(`user show ${id}`)).stdout).toMatch(/^2FA +off$/m);
  const { stdout } = await koma("audit --json --limit 1");
  expect(JSON.parse(stdout)).toMatchObject({ action: "user.reset-2fa", target: `user:${id}` });
  await koma(`user delete ${id}`);
});

test("logs the actions of operators", async () => {
  const user = await json("user create audited@site.example");
  await koma("credits grant audited@site.example 3000000000 --reason large");
  await koma("user admin audited@site.example");
  await koma("user disable audited@site.example");
  await koma("user delete audited@site.example");
  await koma("user delete audited@site.example");
  const { stdout } = await koma("audit --json --limit 500");
  const entries = parseLines(stdout).filter(({ target }) => target === `user:${user.id}`);
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
  expect((await koma("audit --limit 1")).stdout).toMatch(/cli:\S+ +user\.delete/);
});
