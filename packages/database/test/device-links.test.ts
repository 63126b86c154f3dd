import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { makeUser, minutesLater, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const seconds = (count: number) => new Date(noon.getTime() + count * 1000);

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

it("stay unclaimed when their key cannot be stored", async () => {
  const { userId } = await makeUser(database);
  const { deviceCodeHash, userCodeHash, botUserId } = await ask();
  await database.deviceLinks.approve({ userCodeHash, userId, at: noon });
  const first = generateKey(userId);
  expect(await database.apiKeys.save(first, 50)).toBe("saved");
  const claim = (key: typeof first, keyLimit = 50) =>
    database.deviceLinks.claim({ deviceCodeHash, botUserId, key, keyLimit, at: noon });
  expect(await claim(generateKey(userId), 1)).toBe("too_many_keys");
  // PostgreSQL rejects this character in text.
  await expect(claim({ ...generateKey(userId), title: "\u0000" })).rejects.toThrow();
  expect(await database.deviceLinks.poll({ deviceCodeHash, botUserId, at: noon })).toMatchObject({
    state: "approved",
  });
  expect(await claim(generateKey(userId))).toBe("claimed");
  expect(await readKeys(userId)).toHaveLength(2);
});

it("end when they are denied or expired", async () => {
  const { userId } = await makeUser(database);
  const denied = await ask();
  expect(await database.deviceLinks.deny({ userCodeHash: denied.userCodeHash, at: noon })).toBe(true);
  const { deviceCodeHash, botUserId } = denied;
  expect(await database.deviceLinks.poll({ deviceCodeHash, botUserId, at: noon })).toEqual({
    state: "denied",
  });
  expect(await database.deviceLinks.approve({ userCodeHash: denied.userCodeHash, userId, at: noon })).toBe(
    false,
  );
  const old = await ask();
  const at = minutesLater(10);
  const found = await database.deviceLinks.findByUserCode({ userCodeHash: old.userCodeHash, at });
  expect(found).toEqual({ link: old.link, isOpen: false });
  expect(await database.deviceLinks.findByUserCode({ userCodeHash: "another", at })).toBeUndefined();
  expect(await database.deviceLinks.approve({ userCodeHash: old.userCodeHash, userId, at })).toBe(false);
  expect(await database.deviceLinks.poll({ ...old, at })).toEqual({ state: "expired" });
  const again = await ask({ userCodeHash: old.userCodeHash });
  expect(again.link).toBeUndefined();
});

it("slow down a bot that polls too often by five more seconds each time", async () => {
  const requested = await ask();
  const at = [0, 5, 7, 16, 30, 40];
  const results = [];
  for (const second of at)
    results.push(await database.deviceLinks.poll({ ...requested, at: seconds(second) }));
  expect(results).toEqual([
    { state: "pending", intervalSeconds: 5, expiresAt: minutesLater(10) },
    { state: "pending", intervalSeconds: 5, expiresAt: minutesLater(10) },
    { state: "slow_down", intervalSeconds: 10 },
    { state: "slow_down", intervalSeconds: 15 },
    { state: "slow_down", intervalSeconds: 20 },
    { state: "slow_down", intervalSeconds: 25 },
  ]);
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

it("block chat users and servers until they are unblocked", async () => {
  const [key, server] = [randomUUID(), randomUUID()];
  await database.chatBlocks.block({ key, kind: "user", note: null });
  await database.chatBlocks.block({ key, kind: "user", note: "spam" });
  await database.chatBlocks.block({ key: server, kind: "server", note: null });
  expect(await database.chatBlocks.find(["other", key])).toMatchObject({ kind: "user", note: "spam" });
  expect((await database.chatBlocks.list()).map((block) => block.key).sort()).toEqual([key, server].sort());
  expect(await database.chatBlocks.unblock(key)).toBe(true);
  expect(await database.chatBlocks.unblock(key)).toBe(false);
  expect(await database.chatBlocks.find([key])).toBeUndefined();
  expect(await database.chatBlocks.find([])).toBeUndefined();
});
