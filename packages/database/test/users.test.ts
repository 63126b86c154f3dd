import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { day, generateMatches, makeAnime, makeSearch, makeUser, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

const later = () => new Date(Date.now() + 3_600_000);

async function signIn(userId: string) {
  const token = randomUUID();
  const session = { userId, token, expiresAt: later(), createdAt: new Date(), updatedAt: new Date() };
  await (await database.loadAuthAdapter())({}).create({ model: "session", data: session });
  return token;
}

async function findSession(token: string) {
  const where = [{ field: "token", value: token }];
  return await (await database.loadAuthAdapter())({}).findOne({ model: "session", where });
}

it("are found by id and by address in any case, and listed with their credits", async () => {
  const { userId } = await makeUser(database, "rin@example.org");
  await database.credits.grant({ userId, amount: 3, reason: "a gift" });
  const found = await database.users.findByEmail(" Rin@Example.org ");
  const facts = { name: "Rin", email: "rin@example.org", isEmailVerified: false };
  expect(found).toMatchObject({ id: userId, ...facts, isDisabled: false, isBot: false });
  expect(await database.users.find(userId)).toEqual(found);
  expect(await database.users.find("nobody")).toBeUndefined();
  const { total, items } = await database.users.list({ page: 1, pageSize: 100 });
  expect(total).toBe(items.length);
  expect(items.find(({ id }) => id === userId)?.purchasedCredits).toBe(3);
});

it("have a limited number of API keys, also with concurrent calls", async () => {
  const { userId } = await makeUser(database);
  const generateKey = () => ({
    id: randomUUID(),
    hash: randomUUID(),
    userId,
    title: "Key",
    start: "koma_1234",
    permissions: null,
    createdAt: noon,
    expiresAt: null,
  });
  const keys = Array.from({ length: 12 }, generateKey);
  const results = await Promise.all(
    keys.map((key, index) => (index % 2 === 0 ? database : other).apiKeys.save(key, 5)),
  );
  expect(results.toSorted()).toEqual([...Array(5).fill("saved"), ...Array(7).fill("too_many")]);
  expect(await database.apiKeys.save({ ...generateKey(), userId: "nobody" }, 5)).toBe("no_user");
});

it("lose their sessions when they are disabled", async () => {
  const { userId } = await makeUser(database);
  const token = await signIn(userId);
  expect(await findSession(token)).toMatchObject({ userId });
  expect(await database.users.setDisabled(userId, true)).toBe(true);
  expect(await findSession(token)).toBeNull();
  expect(await database.users.find(userId)).toMatchObject({ isDisabled: true });
  expect(await database.users.setDisabled(userId, false)).toBe(true);
  expect(await database.users.setDisabled("nobody", true)).toBe(false);
});

it("are deleted with their data; public searches and credit entries stay without the user", async () => {
  const { userId, callerHash } = await makeUser(database);
  const token = await signIn(userId);
  const reference = randomUUID();
  await database.credits.grant({ userId, amount: 3, reason: "a gift", reference });
  const matches = generateMatches(await makeAnime(database));
  const own = { callerHash, inHistory: true, matches };
  const [listed, unlisted] = [await makeSearch(database, own), await makeSearch(database, own)];
  await database.searches.confirm({ id: listed.id, rank: 1, by: { callerHash }, at: noon });
  expect(await database.users.forget({ userId, callerHash })).toBe(true);
  expect(await database.users.forget({ userId, callerHash })).toBe(false);
  expect(await database.users.find(userId)).toBeUndefined();
  expect(await findSession(token)).toBeNull();
  expect(await database.credits.balance(userId)).toBe(0);
  const entries = await query(`SELECT "userId", "amount"::int FROM "CreditEntry" WHERE "reference" = $1`, [
    reference,
  ]);
  expect(entries).toEqual([{ userId: null, amount: 3 }]);
  const rows = await query(
    `SELECT "id", "callerHash", "confirmTokenHash", "inHistory" FROM "Search" WHERE "id" = ANY($1)`,
    [[listed.id, unlisted.id]],
  );
  expect(rows).toEqual([{ id: listed.id, callerHash: null, confirmTokenHash: null, inHistory: false }]);
  expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: 0 });
});

it("are deleted an hour after an incomplete registration", async () => {
  const [halfway, whole, fresh] = [
    await makeUser(database),
    await makeUser(database),
    await makeUser(database),
  ];
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const account = { accountId: whole.userId, providerId: "credential", userId: whole.userId, ...times };
  await (await database.loadAuthAdapter())({}).create({ model: "account", data: account });
  await query(`UPDATE "User" SET "createdAt" = now() - interval '2 hours' WHERE "id" = ANY($1)`, [
    [halfway.userId, whole.userId],
  ]);
  await database.collectGarbage();
  const left = [halfway, whole, fresh].map(({ userId }) => database.users.find(userId));
  expect((await Promise.all(left)).map((user) => user !== undefined)).toEqual([false, true, true]);
});

it("have sessions of at most 90 days", async () => {
  const { userId } = await makeUser(database);
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  for (const [token, createdAt, expiresAt] of [
    ["old", days(-91), days(5)],
    ["expired", days(-8), days(-1)],
    ["used", days(-89), days(5)],
  ] as const) {
    const data = { token: `${userId}-${token}`, userId, createdAt, updatedAt: createdAt, expiresAt };
    await (await database.loadAuthAdapter())({}).create({ model: "session", data });
  }
  await database.collectGarbage();
  const left = await query(`SELECT "token" FROM "Session" WHERE "userId" = $1`, [userId]);
  expect(left).toEqual([{ token: `${userId}-used` }]);
});

it("have events of the sign-in for 90 days", async () => {
  await database.securityEvents.record({ event: "sign_in", account: "old", network: "n" });
  await query(`UPDATE "SecurityEvent" SET "createdAt" = now() - interval '91 days'`);
  await database.securityEvents.record({ event: "sign_in", account: "new", network: "n" });
  await database.collectGarbage();
  const { items } = await database.securityEvents.list({ page: 1, pageSize: 10 });
  expect(items.map(({ account }) => account)).toEqual(["new"]);
});
