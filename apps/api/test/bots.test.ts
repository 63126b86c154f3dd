import { createCallerHashes } from "@koma/accounts";
import { LinkedKey, LinkRequest, NewLink, PendingLink, SearchResult } from "@koma/contract";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFakeApi } from "./fixtures/fake-library.ts";
import { nextGuest, openTestLibrary } from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, readQuota, signUp } from "./fixtures/test-users.ts";

let chatUsers = Math.floor(Math.random() * 1e9) * 1000;
const nextChatUser = () => `discord:${++chatUsers}`;

const library = await openTestLibrary();
const { api, clock, search } = await openFakeApi(library, {
  KOMA_GUEST_SEARCHES_PER_DAY: "2",
  KOMA_BASE_URL: "https://koma.example/find",
});
const quotaOf = (headers: Record<string, string>) => readQuota(api, headers);

test("each chat user is a guest, with every bot and separate from the bot", async () => {
  const [bot, other] = [await makeBot(api), await makeBot(api)];
  const [one, two] = [nextChatUser(), nextChatUser()];
  const as = (key: typeof bot, chatUser: string) => ({ ...key.headers, "x-koma-chat-user": chatUser });
  const first = await search(as(bot, one));
  expect(SearchResult.parse(first.body).quota).toMatchObject({ kind: "guest", limit: 2, remaining: 1 });
  expect(first.headers.get("ratelimit")).toMatch(/^"guest";r=1;t=\d+$/);
  expect((await search(as(other, one))).status).toBe(200);
  const refused = await search(as(bot, one));
  expectProblem(refused, "guest_limit_reached", { quota: { remaining: 0 } });
  expect(await quotaOf(as(bot, one))).toMatchObject({ kind: "guest", remaining: 0 });
  expect(await quotaOf(as(bot, two))).toMatchObject({ kind: "guest", remaining: 2 });
  expect(await quotaOf(bot.headers)).toMatchObject({ kind: "credits", limit: 10, remaining: 10 });
});

test("counts requests per chat user, and never for the network of the bot", async () => {
  const bot = await makeBot(api);
  const strict = await library.openApi({ KOMA_REQUESTS_PER_MINUTE: "2" });
  const network = { "x-forwarded-for": nextGuest() };
  const ask = async (headers: Record<string, string>) =>
    (await strict.call("/api/anime/quota", { headers: { ...network, ...headers } })).status;
  const as = (chatUser: string) => ({ ...bot.headers, "x-koma-chat-user": chatUser });
  const [one, two] = [nextChatUser(), nextChatUser()];
  // The first request counts for the network, because its key has not been looked up yet.
  for (const chatUser of [one, one, one, two, two]) expect(await ask(as(chatUser))).toBe(200);
  for (const chatUser of [one, two]) expect(await ask(as(chatUser))).toBe(429);
  for (let count = 0; count < 4; count++) expect(await ask(bot.headers)).toBe(200);
  expect([await ask({}), await ask({})]).toEqual([200, 429]);
  const revoked = await strict.call("/api/apikeys/current", { method: "DELETE", headers: bot.headers });
  expect(revoked.status).toBe(204);
  expect(await ask(bot.headers)).toBe(401);
  expect(await ask(bot.headers)).toBe(429);
});

test("accepts the token of a chat user's search as confirmation, and keeps it out of the bot's history", async () => {
  const bot = await makeBot(api);
  const response = await search({ ...bot.headers, "x-koma-chat-user": nextChatUser() });
  const { id, confirmToken } = SearchResult.parse(response.body);
  const path = `/api/anime/searches/${id}/confirm`;
  expect((await postJson(api, path, { rank: 1 }, bot.headers)).status).toBe(404);
  expect((await postJson(api, path, { rank: 1, confirmToken }, bot.headers)).status).toBe(200);
});

test("rejects requests from a blocked server, whichever key the bot sends", async () => {
  const [bot, user] = [await makeBot(api), await signUp(api)];
  const linked = await makeKey(api, user);
  const [server, other] = [`telegram:-${++chatUsers}`, `telegram:${chatUsers}`];
  const chatUser = { "x-koma-chat-user": nextChatUser() };
  const callers = [{ ...bot.headers, ...chatUser }, bot.headers, linked.headers, user.session, {}];
  const at = (serverId: string) => ({ "x-koma-chat-server": serverId });
  const ask = (headers: Record<string, string>) => api.call("/api/anime/quota", { headers });
  for (const caller of callers) {
    expect((await ask({ ...caller, ...at(server) })).body).toEqual((await ask(caller)).body);
  }
  const key = createCallerHashes("the secret of the tests").server(server);
  await library.database.chatBlocks.block({ key, kind: "server", note: null });
  const refusal = { status: 403, code: "forbidden", detail: "This chat server is blocked." };
  for (const caller of callers) {
    expect((await ask({ ...caller, ...at(server) })).body).toMatchObject(refusal);
    expect((await search({ ...caller, ...at(server) })).body).toMatchObject(refusal);
    expect((await ask({ ...caller, ...at(other) })).status).toBe(200);
  }
  // The rejected requests cost no credit, and an unblocked server does not admit an invalid key.
  expect((await ask(linked.headers)).body).toMatchObject({ remaining: 10 });
  expect((await ask({ ...linked.headers, ...chatUser, ...at(other) })).status).toBe(403);
  const bad = { authorization: "Bearer koma_bad" };
  expectProblem(await ask({ ...bad, ...at(server) }), "invalid_api_key");
  const unreadable = await ask({ ...bot.headers, ...at("telegram:group") });
  expectProblem(unreadable, "invalid_request", { errors: [{ path: "x-koma-chat-server" }] });
  await library.database.chatBlocks.unblock(key);
  expect((await search({ ...linked.headers, ...at(server) })).status).toBe(200);
});

async function openLink(displayName = "Spike", chatUser = nextChatUser()) {
  const bot = await makeBot(api, "The bot");
  const user = await signUp(api);
  const platform = chatUser.split(":")[0];
  const built = await postJson(api, "/api/links", { chatUser, displayName, platform }, bot.headers);
  const link = NewLink.parse(built.body);
  const claim = (headers = bot.headers, deviceCode = link.deviceCode) => {
    clock.nowMs += 5000;
    return postJson(api, "/api/links/token", { deviceCode }, headers);
  };
  const show = (userCode = link.userCode, headers: Record<string, string> = user.session) =>
    api.call(`/api/links/${userCode}`, { headers });
  const response = (how: "approve" | "deny", headers: Record<string, string> = user.session) =>
    api.call(`/api/links/${link.userCode}/${how}`, { method: "POST", headers });
  return { bot, user, built, link, chatUser, claim, show, response };
}

test("links an account: the bot requests a code, the user approves it, the bot receives one key once", async () => {
  const { bot, user, built, link, chatUser, claim, show, response } = await openLink();
  expect(built.status).toBe(201);
  expect(link.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(link.deviceCode).toMatch(/^[\w-]{43}$/);
  expect(link).toMatchObject({
    verificationUrl: `https://koma.example/find/device?code=${link.userCode}`,
    expiresAt: new Date(clock.nowMs + 600_000).toISOString(),
    intervalSeconds: 5,
  });
  const pending = await claim();
  expect(pending.status).toBe(202);
  expect(PendingLink.parse(pending.body)).toEqual({ expiresAt: link.expiresAt, intervalSeconds: 5 });
  const seen = await show(link.userCode.toLowerCase().replace("-", ""));
  expect(LinkRequest.parse(seen.body)).toEqual({
    userCode: link.userCode,
    platform: "discord",
    chatUser,
    displayName: "Spike",
    botName: "The bot",
    keyTitle: "Discord: Spike",
    expiresAt: link.expiresAt,
  });
  for (let times = 0; times < 2; times++) expect((await response("approve")).status).toBe(204);
  expectProblem(await show(), "link_expired");
  // Another bot cannot claim the key.
  const otherBot = await makeBot(api);
  expectProblem(await claim(otherBot.headers), "link_expired");
  const claims = await Promise.all([claim(), claim(), claim()]);
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
  const linked = LinkedKey.parse(claims.find(({ status }) => status === 200)?.body);
  expect(linked.title).toBe("Discord: Spike");
  const keys = await api.call("/api/apikeys", { headers: user.session });
  expect(keys.body).toMatchObject({ total: 1, items: [{ id: linked.id, title: "Discord: Spike" }] });
  const asUser = { authorization: `Bearer ${linked.key}` };
  expect((await api.call("/api/user/anime-credits", { headers: asUser })).status).toBe(200);
  // The key is not a bot's key, and it can revoke itself.
  const request = { chatUser, displayName: "Spike", platform: "discord" };
  expect((await postJson(api, "/api/links", request, asUser)).status).toBe(403);
  expect((await api.call("/api/apikeys/current", { method: "DELETE", headers: asUser })).status).toBe(204);
  expect((await api.call("/api/user/anime-credits", { headers: asUser })).status).toBe(401);
  expect((await postJson(api, "/api/links/token", { deviceCode: link.deviceCode }, bot.headers)).status).toBe(
    410,
  );
});

test("keeps a link claimable until its key can be created, and creates one key", async () => {
  const { user, claim, response } = await openLink("Nemesis");
  expect((await response("approve")).status).toBe(204);
  await library.query(`ALTER TABLE "ApiKey" ADD CONSTRAINT "nobody" CHECK ("name" <> 'Discord: Nemesis')`);
  for (let times = 0; times < 2; times++) {
    expectProblem(await claim(), "internal_error");
  }
  await library.query(`ALTER TABLE "ApiKey" DROP CONSTRAINT "nobody"`);
  expect((await claim()).status).toBe(200);
  expectProblem(await claim(), "link_expired");
  expect(await api.accounts.keys.list({ userId: user.id, page: 1, pageSize: 9 })).toMatchObject({
    total: 1,
  });
});

test("reports the key limit to the user and the bot until the user revokes a key", async () => {
  const { user, claim, response } = await openLink();
  const make = () => api.accounts.keys.create({ userId: user.id, title: "One of many" });
  for (let count = 0; count < 50; count++) await make();
  const tooMany = { status: 400, code: "invalid_request", detail: /^An account has at most 50 API keys/ };
  const expectTooMany = async (calls: ReturnType<typeof claim>) =>
    expect((await calls).body).toMatchObject({ ...tooMany, detail: expect.stringMatching(tooMany.detail) });
  const endOne = async () => {
    const { items } = await api.accounts.keys.list({ userId: user.id, page: 1, pageSize: 1 });
    await api.accounts.keys.remove({ userId: user.id, id: items[0]?.id ?? "" });
  };
  await expectTooMany(response("approve"));
  await endOne();
  expect((await response("approve")).status).toBe(204);
  await make();
  for (let times = 0; times < 2; times++) await expectTooMany(claim());
  await endOne();
  expect((await claim()).status).toBe(200);
});

test("reports a denial to the bot, and invalidates the code", async () => {
  const { claim, show, response } = await openLink();
  expect((await response("deny")).status).toBe(204);
  expectProblem(await response("approve"), "link_expired");
  expect((await show()).status).toBe(410);
  for (let times = 0; times < 2; times++) {
    expectProblem(await claim(), "link_denied");
  }
});

test("codes expire after ten minutes", async () => {
  const { claim, show, response } = await openLink();
  clock.nowMs += 600_000;
  expectProblem(await show(), "link_expired");
  for (const how of ["approve", "deny"] as const) expect((await response(how)).status).toBe(410);
  expectProblem(await claim(), "link_expired");
});

test("slow_down increases the interval each time a bot polls too often", async () => {
  const { bot, link, claim } = await openLink();
  // At the end of an interval, a poll is in time.
  for (let times = 0; times < 2; times++) expect((await claim()).status).toBe(202);
  for (const seconds of [10, 15]) {
    const hasty = await postJson(api, "/api/links/token", { deviceCode: link.deviceCode }, bot.headers);
    expectProblem(hasty, "slow_down");
    expect(hasty.headers.get("retry-after")).toBe(String(seconds));
  }
});

test("rejects unknown codes, and limits attempts", async () => {
  const { bot, claim, show } = await openLink();
  expect((await claim(bot.headers, "unknown")).status).toBe(410);
  for (const code of ["BCDF", "BCDF-GH1K", "BCDF-GHJKL"]) {
    expectProblem(await show(code), "invalid_request", { errors: [{ path: "userCode" }] });
  }
  const guesser = await signUp(api);
  const attempts = [];
  for (let i = 0; i < 21; i++) attempts.push((await show("BBBB-BBBB", guesser.session)).status);
  expect(attempts).toEqual([...Array.from({ length: 20 }, () => 404), 429]);
  const refused = await show("BBBB-BBBB", guesser.session);
  expectProblem(refused, "too_many_requests");
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(600);
  // Other users are not locked out, and the lock of this user ends.
  expect((await show()).status).toBe(200);
  clock.nowMs += 600_000;
  expect((await show("BBBB-BBBB", guesser.session)).status).toBe(404);
});

test("limits a bot to five codes in ten minutes for one chat user", async () => {
  const { bot, chatUser } = await openLink();
  const ask = async (chatUser: string) =>
    (await postJson(api, "/api/links", { chatUser, displayName: "A", platform: "discord" }, bot.headers))
      .status;
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push(await ask(chatUser));
  expect(statuses).toEqual([201, 201, 201, 201, 429]);
  expect(await ask(nextChatUser())).toBe(201);
});

test("shows display names as they read, and truncates key titles", async () => {
  const turned = await openLink("\u202espike\u202c");
  expect((await turned.show()).body).toMatchObject({ displayName: "spike", keyTitle: "Discord: spike" });
  const long = await openLink("🦊".repeat(50), `telegram:${++chatUsers}`);
  expect((await long.show()).body).toMatchObject({ keyTitle: `Telegram: ${"🦊".repeat(50)}` });
  await long.response("approve");
  expect(LinkedKey.parse((await long.claim()).body).title).toBe(`Telegram: ${"🦊".repeat(50)}`);
  const longest = await openLink("é".repeat(100));
  await longest.response("approve");
  expect(LinkedKey.parse((await longest.claim()).body).title).toBe(`Discord: ${"é".repeat(55)}`);
});

test("creates no key for a user who was disabled after the approval", async () => {
  const { user, claim, response } = await openLink();
  expect((await response("approve")).status).toBe(204);
  await library.database.users.setDisabled(user.id, true);
  expectProblem(await claim(), "link_expired");
});
