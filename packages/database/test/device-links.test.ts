import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { makeUser, minutesLater, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

async function ask(change: { userCodeHash?: string } = {}) {
  const bot = await makeUser(database);
  const codes = { deviceCodeHash: randomUUID(), userCodeHash: randomUUID(), ...change };
  const requested = {
    botUserId: bot.userId,
    chatUser: "discord:1",
    displayName: "Rin",
    platform: "discord",
  };
  const times = { expiresAt: minutesLater(10), intervalSeconds: 5, at: noon };
  const link = await database.deviceLinks.create({ ...codes, ...requested, ...times });
  return { ...codes, botUserId: bot.userId, link };
}

const generateKey = (userId: string) => ({
  id: randomUUID(),
  hash: randomUUID(),
  userId,
  title: "Discord: Rin",
  start: "koma_1234",
  permissions: null,
  createdAt: noon,
  expiresAt: null,
});
const readKeys = (userId: string) => query(`SELECT * FROM "ApiKey" WHERE "referenceId" = $1`, [userId]);

it("are claimed once by one of many callers after an approval", async () => {
  const { userId } = await makeUser(database);
  const { deviceCodeHash, userCodeHash, botUserId, link } = await ask();
  const poll = (each = database, at = noon) => each.deviceLinks.poll({ deviceCodeHash, botUserId, at });
  expect(await poll()).toEqual({ state: "pending", intervalSeconds: 5, expiresAt: minutesLater(10) });
  const find = () => database.deviceLinks.findByUserCode({ userCodeHash, at: noon });
  expect(await find()).toEqual({ link, isOpen: true });
  expect(await database.deviceLinks.approve({ userCodeHash, userId, at: noon })).toBe(true);
  expect(await database.deviceLinks.approve({ userCodeHash, userId, at: noon })).toBe(true);
  const thief = await makeUser(database);
  expect(await database.deviceLinks.approve({ userCodeHash, userId: thief.userId, at: noon })).toBe(false);
  expect(await database.deviceLinks.deny({ userCodeHash, at: noon })).toBe(false);
  expect(await find()).toEqual({ link, isOpen: false });
  const foreign = { deviceCodeHash, botUserId: thief.userId, at: noon };
  expect(await database.deviceLinks.poll(foreign)).toEqual({ state: "expired" });
  for (let times = 0; times < 2; times++) {
    expect(await poll()).toEqual({ state: "approved", userId, link });
  }
  const claim = (each: typeof database, key = generateKey(userId), at = noon) =>
    each.deviceLinks.claim({ deviceCodeHash, botUserId, key, keyLimit: 1, at });
  const foreignClaim = {
    deviceCodeHash,
    botUserId: thief.userId,
    key: generateKey(userId),
    keyLimit: 1,
    at: noon,
  };
  expect(await database.deviceLinks.claim(foreignClaim)).toBe("expired");
  expect(await claim(database, generateKey(thief.userId))).toBe("expired");
  expect(await claim(database, generateKey(userId), minutesLater(10))).toBe("expired");
  const keys = Array.from({ length: 12 }, () => generateKey(userId));
  const results = await Promise.all(keys.map((key, index) => claim(index % 2 === 0 ? database : other, key)));
  expect(results.toSorted()).toEqual(["claimed", ...Array(11).fill("expired")]);
  expect(await poll()).toEqual({ state: "expired" });
  const [key] = keys.filter((_, index) => results[index] === "claimed");
  expect(await claim(database, key)).toBe("expired");
  expect(await readKeys(userId)).toMatchObject([{ id: key?.id, key: key?.hash, name: "Discord: Rin" }]);
});

it("cannot be requested with a code that is in use", async () => {
  const { userCodeHash } = await ask();
  expect((await ask({ userCodeHash })).link).toBeUndefined();
});

it("reject attempts above the limit until their window ends", async () => {
  const options = { key: randomUUID(), limit: 3, windowSeconds: 3600, at: noon };
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? database : other).rateLimits.take(options)),
  );
  expect(results.filter(({ isRefused }) => !isRefused)).toHaveLength(3);
  expect(results[0]?.windowEndsAt).toEqual(minutesLater(60));
  const next = await database.rateLimits.take({ ...options, at: minutesLater(60) });
  expect(next).toEqual({ isRefused: false, windowEndsAt: minutesLater(120) });
});
