import { TooManyKeysError } from "@koma/accounts";
import { expect, it } from "vitest";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openTestAccounts } from "./fixtures/open-test-accounts.ts";

describeWithDatabase("API keys", (open) => {
  async function openWithUser() {
    const test = openTestAccounts(open().database);
    const { body } = await test.signUp();
    const { user } = body as { user: { id: string } };
    const present = (key: string) => test.authenticate({ authorization: `Bearer ${key}` });
    return { ...test, userId: user.id, present };
  }

  it("are returned once, and stored as hashes only", async () => {
    const { keys, userId, present } = await openWithUser();
    const created = await keys.create({ userId, title: "My script" });
    expect(created).toMatchObject({ title: "My script", start: created.key.slice(0, 9), expiresAt: null });
    expect(created.key).toMatch(/^koma_[A-Za-z0-9]{52}$/);
    const table = await open().readTable("ApiKey");
    expect(table).toContain(created.start);
    expect(table).not.toContain(created.key);
    expect(table).not.toContain(created.key.slice(5));
    expect(JSON.stringify(await keys.list({ userId, page: 1, pageSize: 20 }))).not.toContain(created.key);
    const scopes = ["search", "account"];
    expect(await present(created.key)).toEqual({
      ...{ userId, by: "key", keyId: created.id, isBot: false },
      scopes,
    });
    const bot = await keys.create({ userId, title: "Bot", isBot: true });
    expect(await present(bot.key)).toMatchObject({ isBot: true, scopes });
  });

  it("have the scopes and the expiry of their creation", async () => {
    let at = new Date("2026-11-26T12:00:00.000Z");
    const test = openTestAccounts(open().database, {}, { now: () => at });
    const { body } = await test.signUp();
    const { user } = body as { user: { id: string } };
    const request = { userId: user.id, title: "Week", expiresInDays: 7 };
    const created = await test.keys.create({ ...request, scopes: ["search", "search"] });
    const expiresAt = new Date("2026-12-03T12:00:00.000Z");
    expect(created).toMatchObject({ createdAt: at, expiresAt, scopes: ["search"] });
    const { items } = await test.keys.list({ userId: user.id, page: 1, pageSize: 1 });
    expect(items).toMatchObject([{ expiresAt, scopes: ["search"] }]);
    const bot = await test.keys.create({ ...request, isBot: true });
    const present = ({ key }: { key: string }) => test.authenticate({ authorization: `Bearer ${key}` });
    at = new Date(expiresAt.getTime() - 1);
    expect(await present(created)).toMatchObject({ userId: user.id, scopes: ["search"] });
    expect(await present(bot)).toMatchObject({ isBot: true });
    at = expiresAt;
    expect(await present(created)).toEqual({ problem: "invalid_api_key", expiredAt: expiresAt });
    expect(await present(bot)).toEqual({ problem: "invalid_api_key", expiredAt: expiresAt });
  });

  it("have no rate limit of the plugin, and record their last use", async () => {
    const { keys, userId, present } = await openWithUser();
    const { id, key } = await keys.create({ userId, title: "Often" });
    const read = async () => (await keys.list({ userId, page: 1, pageSize: 1 })).items[0];
    expect(await read()).toMatchObject({ id, lastUsedAt: null });
    for (let count = 0; count < 30; count += 1) expect(await present(key)).toMatchObject({ userId });
    const lastUsedAt = (await read())?.lastUsedAt?.getTime() ?? 0;
    expect(Math.abs(Date.now() - lastUsedAt)).toBeLessThan(30_000);
  });

  it("are rejected if they are unknown, malformed, expired or of another type", async () => {
    const { keys, userId, authenticate, present } = await openWithUser();
    const { key } = await keys.create({ userId, title: "Good" });
    const refused = { problem: "invalid_api_key" };
    const changed = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    for (const bad of ["", "x", changed, `${key}a`, "koma_", key.toUpperCase()])
      expect(await present(bad)).toEqual(refused);
    for (const authorization of [key, `Basic ${key}`, "", "Bearer"]) {
      expect(await authenticate({ authorization })).toEqual(refused);
    }
    expect(await authenticate({ authorization: `bearer ${key}` })).toMatchObject({ userId });
  });

  it("are revoked at once everywhere, by their owner only", async () => {
    const test = await openWithUser();
    const { keys, userId } = test;
    const other = openTestAccounts(await open().connectAgain());
    const created = await keys.create({ userId, title: "Ends" });
    const elsewhere = () => other.authenticate({ authorization: `Bearer ${created.key}` });
    expect(await elsewhere()).toMatchObject({ userId });
    const otherUser = await openWithUser();
    expect(await keys.remove({ userId: otherUser.userId, id: created.id })).toBe(false);
    expect(await elsewhere()).toMatchObject({ userId });
    expect(await keys.remove({ userId, id: created.id })).toBe(true);
    expect(await elsewhere()).toEqual({ problem: "invalid_api_key" });
    expect(await keys.remove({ userId, id: created.id })).toBe(false);
    const own = await keys.create({ userId, title: "Ends itself" });
    await keys.removeCurrent({ userId, keyId: own.id });
    expect(await test.present(own.key)).toEqual({ problem: "invalid_api_key" });
  });

  it("are listed page by page, newest first, each once", async () => {
    const { keys, userId } = await openWithUser();
    const created = await Promise.all(
      Array.from({ length: 23 }, (_, index) => keys.create({ userId, title: `Key ${index}` })),
    );
    const newest = await keys.create({ userId, title: "Newest" });
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await keys.list({ userId, page, pageSize: 10 }));
    expect(pages.map(({ total, items }) => [total, items.length])).toEqual([
      [24, 10],
      [24, 10],
      [24, 4],
      [24, 0],
    ]);
    const listed = pages.flatMap(({ items }) => items);
    expect(listed[0]).toMatchObject({ id: newest.id });
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([newest, ...created].map(({ id }) => id)));
    const far = await keys.list({ userId, page: 1_000_000_000, pageSize: 100 });
    expect(far).toEqual({ total: 24, items: [] });
  });

  it("are limited to fifty per user, also when created concurrently, and unlimited for a bot", async () => {
    const { keys, userId } = await openWithUser();
    const make = (title: string) => keys.create({ userId, title });
    for (let count = 0; count < 48; count += 1) await make("Old");
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => make("At once")));
    const refusals = results.flatMap((response) => (response.status === "rejected" ? [response.reason] : []));
    expect(refusals).toEqual(Array(4).fill(new TooManyKeysError()));
    const { total, items } = await keys.list({ userId, page: 1, pageSize: 1 });
    expect(total).toBe(50);
    await keys.remove({ userId, id: items[0]?.id ?? "" });
    expect(await make("Room again")).toMatchObject({ title: "Room again" });
    await expect(make("One more")).rejects.toThrow(TooManyKeysError);
    expect(await keys.create({ userId, title: "Bot", isBot: true })).toMatchObject({ title: "Bot" });
    await expect(keys.create({ userId: "nobody", title: "Lost" })).rejects.toThrow();
  });

  it("are not served by better-auth's own endpoints", async () => {
    const { ask, session } = {
      ...(await openWithUser()),
      ...(await openTestAccounts(open().database).signUp()),
    };
    const created = await ask("/api-key/create", { body: { name: "Side door" }, headers: session });
    expect(created.status).toBe(404);
    expect((await ask("/api-key/list", { headers: session })).status).toBe(404);
    expect((await ask("//api-key/list", { headers: session })).status).toBe(404);
    expect((await ask("/x/../api-key/list/", { headers: session })).status).toBe(404);
  });

  it("are not reported as invalid while the database does not respond", async () => {
    const database = await open().connectAgain();
    const test = openTestAccounts(database);
    const { body } = await test.signUp();
    const { user } = body as { user: { id: string } };
    const { key } = await test.keys.create({ userId: user.id, title: "Cut off" });
    await database.close();
    await expect(test.authenticate({ authorization: `Bearer ${key}` })).rejects.toThrow();
  });
});
