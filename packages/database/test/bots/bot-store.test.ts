import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { ensureBotLogin, openBotStore, type SavedResult } from "@koma/database/bots";
import pg from "pg";
import { expect, it } from "vitest";
import { openBotTest } from "./open-bot-test.ts";

const noon = new Date("2026-11-20T12:00:00.000Z");
const later = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const sealed = (text: string) => ({ keyId: "k1", sealed: bytes(text) });
const person = (personKey: string = randomUUID()) => ({ platform: "discord", personKey });

function generateResult(personKey: string, changes: Partial<SavedResult> = {}): SavedResult {
  return {
    id: randomUUID(),
    platform: "discord",
    personKey,
    requestKey: randomUUID(),
    pictureKey: "picture",
    fileKey: "file",
    albumId: null,
    albumIndex: null,
    ...sealed("answer"),
    page: 1,
    isOpened: false,
    confirmedRank: null,
    createdAt: noon,
    expiresAt: later(24),
    ...changes,
  };
}

const { store, openAgain, databaseUrl } = await openBotTest();
const other = await openAgain();

it("stores one key per person and removes only the given key", async () => {
  const { accounts } = store;
  const who = person();
  await accounts.put(who, sealed("first"), noon);
  await accounts.put(who, sealed("second"), noon);
  const found = await accounts.find(who);
  expect(found && Buffer.from(found.sealed).toString()).toBe("second");
  expect(await accounts.remove(who, bytes("first"))).toBe(false);
  expect(await accounts.remove(who, bytes("second"))).toBe(true);
  expect(await accounts.find(who)).toBeUndefined();
  expect(await accounts.find({ ...who, platform: "telegram" })).toBeUndefined();
});

it("counts each confirmed result of a chat once, for 90 days, until its person is forgotten", async () => {
  const { chatFinds, people } = store;
  const who = person();
  const chat = { platform: who.platform, placeKey: randomUUID() };
  const put = (resultId: string, animeId: string, changes = {}) =>
    chatFinds.put({ ...chat, ...who, resultId, animeId, foundAt: noon, ...changes });
  const top = async (days = 0) => await chatFinds.listTop(chat, { limit: 2, at: later(24 * days) });
  await put("1", "a");
  await put("1", "b");
  await put("2", "b");
  await put("3", "c", person());
  await put("4", "d", { placeKey: randomUUID() });
  expect(await top()).toEqual([
    { animeId: "b", count: 2 },
    { animeId: "c", count: 1 },
  ]);
  await chatFinds.remove(chat, "2");
  expect(await top(90)).toEqual([
    { animeId: "b", count: 1 },
    { animeId: "c", count: 1 },
  ]);
  expect(await top(91)).toEqual([]);
  await people.forget(who);
  expect(await top()).toEqual([{ animeId: "c", count: 1 }]);
  await chatFinds.collectGarbage(later(24 * 91));
  expect(await top()).toEqual([]);
});

it("returns a due link to one of many concurrent callers per interval", async () => {
  const who = { platform: `p${randomUUID()}`, personKey: "a" };
  const request = { ...who, id: randomUUID(), ...sealed("code"), intervalSeconds: 5, expiresAt: later(1) };
  await store.pendingLinks.put({ ...request, nextPollAt: noon });
  expect(await store.pendingLinks.findNextPoll(who.platform)).toEqual(noon);
  const taken = await Promise.all(
    [store, other, store, other].map((each) => each.pendingLinks.takeDue(who.platform, noon)),
  );
  expect(taken.flat().map(({ id }) => id)).toEqual([request.id]);
  expect(Buffer.from(taken.flat()[0]?.sealed ?? []).toString()).toBe("code");
  expect(await store.pendingLinks.findNextPoll(who.platform)).toEqual(new Date(noon.getTime() + 5000));
  const newer = randomUUID();
  await store.pendingLinks.put({ ...request, id: newer, expiresAt: later(2), nextPollAt: noon });
  await store.pendingLinks.reseal(request.id, sealed("called off"));
  const listed = await store.pendingLinks.list(who);
  expect(listed.map(({ id }) => id)).toEqual([newer, request.id]);
  const found = await store.pendingLinks.find(request.id);
  expect(Buffer.from(found?.sealed ?? []).toString()).toBe("called off");
  expect(await store.pendingLinks.remove(request.id)).toBe(true);
  expect(await store.pendingLinks.find(request.id)).toBeUndefined();
  expect(await store.pendingLinks.remove(newer)).toBe(true);
});

it("claims a request once, releases it from an expired owner, and stores that it has a reply", async () => {
  const request = { platform: `p${randomUUID()}`, requestKey: "r" };
  const claim = (each: typeof store, owner: string, leaseSeconds = 60) =>
    each.requests.claim(request, { owner, leaseSeconds, resume: sealed("how") });
  const claims = await Promise.all(
    ["a", "b", "c", "d"].map((owner, index) => claim(index % 2 === 0 ? store : other, owner)),
  );
  expect(claims.map(({ state }) => state).sort()).toEqual(["busy", "busy", "busy", "claimed"]);
  const winner = ["a", "b", "c", "d"][claims.findIndex(({ state }) => state === "claimed")] ?? "";
  expect(await store.requests.listOpen(request.platform)).toHaveLength(1);
  expect(await store.requests.listOpen(request.platform, { isExpired: true })).toEqual([]);
  await store.requests.release(winner);
  expect(await store.requests.listOpen(request.platform, { isExpired: true })).toMatchObject([
    { requestKey: "r", state: "working", resume: { keyId: "k1" } },
  ]);
  expect(await claim(other, "next")).toEqual({ state: "claimed", before: "working" });
  expect(await store.requests.markSending(request, winner)).toBe(false);
  expect(await store.requests.markSending(request, "next")).toBe(true);
  await store.requests.renew(["next"], -1);
  expect(await claim(store, "last")).toEqual({ state: "claimed", before: "sending" });
  await store.requests.markDone(request, "last");
  expect(await claim(store, "again")).toEqual({ state: "answered" });
  expect(await store.requests.listOpen(request.platform)).toEqual([]);
});

it("stores the first result of a request and finds it by image and file for its person only", async () => {
  const { results } = store;
  const { platform, personKey } = person();
  const result = generateResult(personKey);
  await results.put(result);
  const again = await results.put({ ...generateResult(personKey), requestKey: result.requestKey });
  expect(again.id).toBe(result.id);
  const find = (by: { pictureKey: string } | { fileKey: string }, who = personKey, at = noon) =>
    results.findSame({ platform, personKey: who }, by, at);
  expect((await find({ pictureKey: "picture" }))?.id).toBe(result.id);
  expect((await find({ fileKey: "file" }))?.id).toBe(result.id);
  expect(await find({ fileKey: "file" }, "somebody else")).toBeUndefined();
  expect(await find({ fileKey: "file" }, personKey, later(24))).toBeUndefined();
  expect(await results.change(result.id, { page: 3, confirmedRank: 0 })).toBe(true);
  expect(await results.find(platform, result.id, noon)).toMatchObject({ page: 3, confirmedRank: 0 });
  expect(await results.find("telegram", result.id, noon)).toBeUndefined();
  await store.collectGarbage(later(24));
  expect(await results.change(result.id, { page: 1 })).toBe(false);
});

it("deletes all data of one person and none of another", async () => {
  const people = [person(), person()];
  for (const who of people) {
    const { personKey } = who;
    const album = { ...who, id: `album ${personKey}`, ...sealed("pictures"), expiresAt: later(24) };
    await store.accounts.put(who, sealed("key"), noon);
    await store.settings.putPerson(who, { language: "ja" });
    await store.results.putAlbum(album);
    await store.results.put(generateResult(personKey, { albumId: album.id, albumIndex: 0 }));
    const request = { id: personKey, ...who, ...sealed("code"), intervalSeconds: 5, expiresAt: later(1) };
    await store.pendingLinks.put({ ...request, nextPollAt: later(1) });
  }
  const [one = person(), two = person()] = people;
  const saved = async (who: typeof one) => [
    (await store.accounts.find(who)) !== undefined,
    (await store.settings.findPerson(who)) !== undefined,
    (await store.results.list(who, 5, noon)).length > 0,
    (await store.results.findAlbum(who.platform, `album ${who.personKey}`, noon)) !== undefined,
    await store.pendingLinks.remove(who.personKey),
  ];
  await store.people.forget(one);
  expect(await saved(one)).toEqual([false, false, false, false, true]);
  expect(await saved(two)).toEqual([true, true, true, true, true]);
});

it("changes some settings of a chat and keeps the others", async () => {
  const { settings } = store;
  const chatSettings = { platform: "discord", placeKey: randomUUID() };
  expect(await settings.findChat(chatSettings)).toBeUndefined();
  await Promise.all([
    settings.changeChat(chatSettings, { language: "ko" }),
    settings.changeChat(chatSettings, { channels: ["1", "2"] }),
  ]);
  expect(await settings.findChat(chatSettings)).toEqual({ language: "ko", channels: ["1", "2"] });
});

it("stores the first of two secrets, and notes by name", async () => {
  const { memory } = store;
  const name = randomUUID();
  expect(await memory.findSecret(name)).toBeUndefined();
  const saved = await Promise.all([
    memory.saveSecret(name, sealed("a")),
    memory.saveSecret(name, sealed("b")),
  ]);
  expect(saved[0]?.sealed).toEqual(saved[1]?.sealed);
  await memory.set("discord", name, "1");
  await memory.set("discord", name, "2");
  expect(await memory.get("discord", name)).toBe("2");
  expect(await memory.get("telegram", name)).toBeUndefined();
});

it("reserves slots of processes one after the other", async () => {
  const { memory } = store;
  const name = randomUUID();
  const gapMs = 100_000;
  const slots = await Promise.all([1, 2, 3].map(() => memory.reserveSlot("discord", name, gapMs)));
  const [first = -1, second = -1, third = -1] = slots.sort((a, b) => a - b);
  expect(first).toBe(0);
  // The statements need some of the time.
  expect(second).toBeGreaterThan(0.5 * gapMs);
  expect(second).toBeLessThanOrEqual(gapMs);
  expect(third - second).toBeGreaterThan(0.5 * gapMs);
  expect(await memory.reserveSlot("discord", randomUUID(), gapMs)).toBe(0);
  // The clock of the database was a day ahead.
  await memory.set("discord", name, String(Date.now() + 86_400_000));
  expect(await memory.reserveSlot("discord", name, gapMs)).toBe(0);
  expect(await memory.reserveSlot("discord", name, gapMs)).toBeGreaterThan(0.5 * gapMs);
});

it("works with a login of the bots, which cannot read accounts", async () => {
  const prepare = (password: string) =>
    ensureBotLogin({ databaseUrl, dataDir: tmpdir(), password, onLog: () => undefined });
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>("SELECT current_database() || '_bot' AS name");
  const login = rows[0]?.name ?? "";
  const name = admin.escapeIdentifier(login);
  try {
    const botDatabaseUrl = await prepare("p@ss/word");
    expect(botDatabaseUrl).toContain(`//${login}:p%40ss%2Fword@`);
    const store = await openBotStore({ dataDir: tmpdir(), botDatabaseUrl });
    const who = person();
    await store.accounts.put(who, sealed("key"), noon);
    expect(await store.accounts.find(who)).toBeDefined();
    await store.close();
    const client = new pg.Client(botDatabaseUrl);
    await client.connect();
    try {
      expect((await client.query("SELECT current_user")).rows).toEqual([{ current_user: login }]);
      for (const table of ["User", "ApiKey", "Session", "Search"]) {
        await expect(client.query(`SELECT * FROM public."${table}"`)).rejects.toThrow("permission denied");
      }
      await expect(client.query("DELETE FROM bots._prisma_migrations")).rejects.toThrow("permission denied");
    } finally {
      await client.end();
    }
    expect(await prepare("another")).toContain(":another@");
    await admin.query(`REVOKE koma_bots FROM ${name}`);
    await expect(prepare("another")).rejects.toThrow(`The database has another role ${login}`);
  } finally {
    await admin.query(`DROP ROLE IF EXISTS ${name}`);
    await admin.end();
  }
});

it("works for an owner of the database that is no superuser", async () => {
  const address = new URL(databaseUrl);
  const admin = new pg.Client(address.href);
  const owner = `owner_${randomUUID().replaceAll("-", "")}`;
  await admin.connect();
  try {
    await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE`);
    // The rights that PostgreSQL 16 and later give the creator of a role.
    await admin.query(`GRANT koma_bots TO ${owner} WITH ADMIN TRUE, INHERIT FALSE, SET FALSE`);
    await admin.query(`CREATE DATABASE ${owner} OWNER ${owner}`);
    address.username = owner;
    address.pathname = `/${owner}`;
    const logs: string[] = [];
    const options = { dataDir: tmpdir(), databaseUrl: address.href, onLog: logs.push.bind(logs) };
    await (await openBotStore(options)).close();
    expect(logs).toEqual([expect.stringMatching(/^Applied migrations of the bots' tables/)]);
    const botDatabaseUrl = await ensureBotLogin({ ...options, password: "password" });
    const store = await openBotStore({ dataDir: tmpdir(), botDatabaseUrl });
    expect(await store.memory.get("discord", "x")).toBeUndefined();
    await store.close();
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${owner} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${owner}_bot`);
    await admin.query(`DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
    await admin.end();
  }
});

it("has no access to the tables of the API", async () => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    // The store uses that role: it fails without the rights of the role.
    await client.query('REVOKE SELECT ON bots."Memory" FROM koma_bots');
    await expect(store.memory.get("discord", "x")).rejects.toThrow();
    await client.query('GRANT SELECT ON bots."Memory" TO koma_bots');
    expect(await store.memory.get("discord", "x")).toBeUndefined();
    await client.query("SET ROLE koma_bots");
    for (const statement of ['SELECT * FROM public."User"', "DELETE FROM bots._prisma_migrations"]) {
      await expect(client.query(statement)).rejects.toThrow("permission denied");
    }
  } finally {
    await client.end();
  }
});
