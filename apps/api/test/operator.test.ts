import { dirname } from "node:path";
import {
  AuditRecordList,
  BlockedChatList,
  CreditGrant,
  Credits,
  endpoints,
  OperatorEpisodeList,
  OperatorOverview,
  OperatorUserList,
} from "@koma/contract";
import { URI } from "otpauth";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFake } from "./fixtures/fake-library.ts";
import { openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, signUp, signUpOperator } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi();

test("admits only administrators, by session", async () => {
  const operator = await signUpOperator(api);
  const user = await signUp(api);
  const key = await makeKey(api, operator);
  const ask = (path: string, headers: Record<string, string>) => api.call(path, { headers });
  const paths = endpoints
    .filter(({ method, path }) => method === "GET" && path.startsWith("/api/operator/"))
    .map(({ path }) => path);
  expect(paths).toContain("/api/operator/overview");
  for (const path of paths) {
    const allowed = await ask(path, operator.session);
    expect([allowed.status, allowed.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expectProblem(await ask(path, user.session), "forbidden");
    expectProblem(await ask(path, key.headers), "forbidden");
    expectProblem(await ask(path, {}), "unauthenticated");
  }
  const request = { amount: 5, reason: "test", reference: "reference-1" };
  const grant = await postJson(api, `/api/operator/users/${user.id}/grants`, request, user.session);
  expectProblem(grant, "forbidden");
  for (const { method, path } of endpoints) {
    if (method === "GET" || !path.startsWith("/api/operator/")) continue;
    const address = path.replace(/\{\w+\}/, "unknown");
    for (const headers of [user.session, { ...key.headers, origin: api.origin }]) {
      const refused = await api.call(address, { method, headers });
      expect([path, refused.body]).toMatchObject([path, { status: 403, code: "forbidden" }]);
    }
    expectProblem(await api.call(address, { method }), "unauthenticated");
  }
  await api.accounts.users.setAdmin(operator.id, false);
  expect((await ask("/api/operator/overview", operator.session)).status).toBe(403);
});

test("refuses administrators without a second factor where it is required", async () => {
  const api = await library.openApi({ KOMA_REQUIRE_2FA: "admins" });
  const operator = await signUpOperator(api);
  const ask = () => api.call("/api/operator/overview", { headers: operator.session });
  expectProblem(await ask(), "two_factor_required", { detail: expect.stringContaining("/account") });
  const user = await signUp(api);
  const refused = await api.call("/api/operator/overview", { headers: user.session });
  expectProblem(refused, "forbidden");
  // Other endpoints are not concerned.
  expect((await api.call("/api/user/anime-credits", { headers: operator.session })).status).toBe(200);
  const enabled = await operator.post("/api/auth/two-factor/enable", { password: operator.password });
  const { totpURI } = enabled.body as { totpURI: string };
  expectProblem(await ask(), "two_factor_required");
  const code = URI.parse(totpURI).generate();
  const { headers } = await operator.post("/api/auth/two-factor/verify-totp", { code });
  const cookie = headers.getSetCookie().map((set) => set.split(";", 1)[0]);
  const session = { ...operator.session, cookie: cookie.join("; ") };
  expect((await api.call("/api/operator/overview", { headers: session })).status).toBe(200);
  const users = OperatorUserList.parse(
    (await api.call(`/api/operator/users?query=${operator.email}`, { headers: session })).body,
  );
  expect(users.items).toMatchObject([{ id: operator.id, isTwoFactorEnabled: true }]);
});

test("users cannot make themselves administrators, and bots are none", async () => {
  const user = await signUp(api);
  const change = await postJson(api, "/api/auth/update-user", { isAdmin: true }, user.session);
  expect(change.status).toBe(400);
  const session = await api.call("/api/auth/get-session", { headers: user.session });
  expect(session.body).toMatchObject({ user: { isAdmin: false } });
  expect(await api.accounts.users.setAdmin((await makeBot(api)).id, true)).toBe(false);
});

test("the figures follow searches and sign-ups", async () => {
  const { get } = await signUpOperator(api);
  const before = OperatorOverview.parse(await get("/api/operator/overview"));
  expect(before.library.episodes.ready).toBeGreaterThan(0);
  expect(before.index).toMatchObject({ isOpen: true });
  expect(before.index.frames).toBeGreaterThan(0);
  await api.search({ image: await readImage("Alpha Show 2.jpg") });
  await signUp(api);
  const after = OperatorOverview.parse(await get("/api/operator/overview"));
  expect(after.searches.lastHour).toBeGreaterThan(before.searches.lastHour);
  expect(after.searches.medianMs).not.toBeNull();
  expect(after.users.people).toBeGreaterThan(before.users.people);
  expect(after.searches.underWay).toBe(0);
});

test("the overview and the status count the episodes with data of an earlier version", async () => {
  const fake = await openFake(library.database);
  let search: typeof fake.library | undefined;
  const api = await library.openApi({}, { getSearch: () => search });
  const { get } = await signUpOperator(api);
  const overview = async () => OperatorOverview.parse(await get("/api/operator/overview")).library.outdated;
  expect(await overview()).toBe(0);
  search = fake.library;
  expect(await overview()).toBe(3);
  expect((await api.call("/api/status")).body).toMatchObject({ library: { outdated: 3 } });
});

test("lists videos by state, with failed ones first", async () => {
  const { get } = await signUpOperator(api);
  const all = OperatorEpisodeList.parse(await get("/api/operator/episodes?pageSize=100"));
  const videos = await library.database.episodes.list();
  expect(all.total).toBe(videos.length);
  expect(all.items.map(({ id }) => id).toSorted()).toEqual(videos.map(({ id }) => id).toSorted());
  const failed = OperatorEpisodeList.parse(await get("/api/operator/episodes?state=failed"));
  expect(failed.items.every(({ state }) => state === "failed")).toBe(true);
  expect(failed.total).toBe(videos.filter(({ state }) => state === "failed").length);
  expect(await get("/api/operator/episodes?state=lost")).toMatchObject({ code: "invalid_request" });
});

test("names all videos of a folder", async () => {
  const operator = await signUpOperator(api);
  const { database } = library;
  const before = await database.episodes.list();
  const { id = "", path = "" } = before[0] ?? {};
  const post = (body: object, episode = id) =>
    operator.post(`/api/operator/episodes/${episode}/folder`, body);
  expect((await post({ season: 7, firstEpisode: 40 })).body).toEqual({ episodes: expect.any(Number) });
  const named = (await database.episodes.list()).filter((episode) => dirname(episode.path) === dirname(path));
  expect(named.map((episode) => episode.season)).toEqual(named.map(() => 7));
  expect(named.map((episode) => episode.number)).toContain("40");
  const { items } = await database.audit.list({ page: 1, pageSize: 100 });
  expect(items.find(({ target }) => target === `folder:${dirname(path)}`)).toMatchObject({
    action: "folder.name",
    details: { season: 7, firstEpisode: 40 },
  });
  expect((await post({})).body).toEqual({ episodes: 0 });
  expectProblem(await post({ season: -1 }), "invalid_request");
  expectProblem(await post({}, "unknown"), "not_found");
  await database.episodes.rename(
    before.map((episode) => ({
      id: episode.id,
      naming: { season: episode.season, number: episode.number },
    })),
  );
});

test("replaces the named parts of an episode", async () => {
  const operator = await signUpOperator(api);
  const { database } = library;
  const [{ id = "" } = {}] = await database.episodes.list();
  const post = (labels: object[], episode = id) =>
    operator.post(`/api/operator/episodes/${episode}/labels`, { labels });
  const opening = { label: "opening", from: 62.5, to: 152.4 };
  const ending = { label: "ending", from: 1300, to: 1390 };
  expect((await post([ending, opening])).body).toMatchObject({ id, labels: [opening, ending] });
  const listed = OperatorEpisodeList.parse(await operator.get("/api/operator/episodes?pageSize=100"));
  expect(listed.items.find((episode) => episode.id === id)?.labels).toEqual([opening, ending]);
  for (const wrong of [
    { ...opening, to: 62.5 },
    { ...opening, from: -1 },
    { ...opening, label: "recap" },
  ])
    expectProblem(await post([wrong]), "invalid_request");
  expectProblem(await post([], "unknown"), "not_found");
  const { items } = await database.audit.list({ page: 1, pageSize: 100 });
  expect(items.find(({ action }) => action === "episode.label")).toMatchObject({
    target: `episode:${id}`,
    details: { labels: [ending, opening] },
  });
  expect((await post([])).body).toMatchObject({ labels: [] });
});

test("finds users by a part of name or address, and grants credits once per reference", async () => {
  const operator = await signUpOperator(api);
  const user = await signUp(api, "Spike Spiegel");
  const find = async (query: string) =>
    OperatorUserList.parse(await operator.get(`/api/operator/users?query=${encodeURIComponent(query)}`))
      .items;
  expect((await find(user.email.slice(3, 20).toUpperCase())).map(({ id }) => id)).toEqual([user.id]);
  expect((await find("spike SPIEGEL")).map(({ id }) => id)).toContain(user.id);
  for (const anything of ["%", "_", "100%_"]) expect(await find(anything)).toEqual([]);
  const path = `/api/operator/users/${user.id}/grants`;
  const request = { amount: 5, reason: "Thanks", reference: "reference-1" };
  for (const isNew of [true, false]) {
    const granted = await operator.post(path, request);
    expect(CreditGrant.parse(granted.body)).toEqual({ isNew, purchasedCredits: 5 });
  }
  const { items } = await library.database.audit.list({ page: 1, pageSize: 100 });
  const logged = items.filter(({ target }) => target === `user:${user.id}`);
  expect(logged).toMatchObject([
    {
      actor: `user:${operator.id}`,
      action: "credits.grant",
      details: { amount: 5, reason: "Thanks" },
    },
  ]);
  const credits = await api.call("/api/user/anime-credits", { headers: user.session });
  expect(Credits.parse(credits.body).purchased.remaining).toBe(5);
  for (const bad of [{ amount: 0 }, { amount: 1_000_001 }, { reason: " " }, { reference: "x" }]) {
    const refused = await operator.post(path, { ...request, ...bad });
    expectProblem(refused, "invalid_request");
  }
  await library.database.credits.grant({ userId: user.id, amount: 8_999_999_999_999_990, reason: "x" });
  const tooMany = await operator.post(path, { ...request, amount: 6, reference: "reference-2" });
  expectProblem(tooMany, "invalid_request");
  const full = await api.call("/api/user/anime-credits", { headers: user.session });
  expect(Credits.parse(full.body).purchased.remaining).toBe(8_999_999_999_999_995);
  const nobody = await operator.post("/api/operator/users/nobody/grants", request);
  expectProblem(nobody, "not_found");
});

test("blocks and unblocks chats, and lists the actions", async () => {
  const operator = await signUpOperator(api);
  const bot = await makeBot(api);
  const chat = `discord:${Date.now()}`;
  const searchAsBot = async () =>
    (await api.search({ url: "ftp://x" }, { headers: { ...bot.headers, "x-koma-chat-user": chat } })).body;
  expect(await searchAsBot()).not.toMatchObject({ code: "forbidden" });
  const path = "/api/operator/blocked-chats";
  const block = { kind: "user", chat, note: "Spam" };
  for (const note of ["Spam", "More spam"]) {
    const blocked = await operator.post(path, { ...block, note });
    expect(blocked.status).toBe(204);
  }
  expect(await searchAsBot()).toMatchObject({ code: "forbidden" });
  const find = async () =>
    BlockedChatList.parse(await operator.get(path)).items.filter(({ note }) => note === "More spam");
  const [blocked] = await find();
  expect(blocked).toMatchObject({ kind: "user" });
  expect(blocked?.key).not.toContain(chat);
  for (const bad of [{ chat: "x" }, { kind: "room" }, { note: "a\nb" }]) {
    const refused = await operator.post(path, { ...block, ...bad });
    expectProblem(refused, "invalid_request");
  }
  const unblock = () => operator.remove(`${path}/${blocked?.key}`);
  expect((await unblock()).status).toBe(204);
  expectProblem(await unblock(), "not_found");
  expect(await find()).toEqual([]);
  expect(await searchAsBot()).not.toMatchObject({ code: "forbidden" });

  const { items } = AuditRecordList.parse(await operator.get("/api/operator/audit?pageSize=100"));
  const own = items.filter(({ actor }) => actor === `user:${operator.id}`);
  expect(own.map(({ action }) => action)).toEqual(["chat.unblock", "chat.block", "chat.block"]);
  expect(own.map(({ target }) => target)).toEqual(own.map(() => `chat:${blocked?.key}`));
  expect(own).toMatchObject(own.map(() => ({ actorName: "Operator", targetName: null })));
});

test("disables, enables and deletes users, and removes a lost second factor", async () => {
  const operator = await signUpOperator(api);
  const user = await signUp(api, "Faye Valentine");
  const key = await makeKey(api, user);
  const path = `/api/operator/users/${user.id}`;
  const credits = async (headers: Record<string, string>) =>
    (await api.call("/api/user/anime-credits", { headers })).status;
  const setDisabled = async (isDisabled: boolean, at = path) =>
    await operator.post(`${at}/disabled`, { isDisabled });
  const { remove } = operator;

  expect((await setDisabled(true)).status).toBe(204);
  expect([await credits(user.session), await credits(key.headers)]).toEqual([401, 401]);
  expect((await setDisabled(false)).status).toBe(204);
  // The sessions ended; the keys work again.
  expect([await credits(user.session), await credits(key.headers)]).toEqual([401, 200]);

  expectProblem(await remove(`${path}/second-factor`), "not_found");
  const other = await signUp(api);
  await postJson(api, "/api/auth/two-factor/enable", { password: other.password }, other.session);
  expect((await remove(`/api/operator/users/${other.id}/second-factor`)).status).toBe(204);
  expect(await credits(other.session)).toBe(401);

  const find = async (query: string) =>
    AuditRecordList.parse(await operator.get(`/api/operator/audit?query=${encodeURIComponent(query)}`)).items;
  expect(await find("faye VAL")).toMatchObject([
    { action: "user.enable", actorName: "Operator", targetName: "Faye Valentine" },
    { action: "user.disable", target: `user:${user.id}` },
  ]);
  expect((await find("user.reset"))[0]).toMatchObject({ target: `user:${other.id}` });
  expect((await find(operator.email)).map(({ action }) => action)).toEqual([
    "user.reset-2fa",
    "user.enable",
    "user.disable",
  ]);
  expect(await find("100%_")).toEqual([]);

  expect((await remove(path)).status).toBe(204);
  expect(await library.database.users.find(user.id)).toBeUndefined();
  expect((await find("user.delete"))[0]).toMatchObject({ target: `user:${user.id}`, targetName: null });
  for (const at of [path, `${path}/second-factor`]) expectProblem(await remove(at), "not_found");
  expectProblem(await setDisabled(true), "not_found");

  const own = `/api/operator/users/${operator.id}`;
  for (const { body } of [
    await setDisabled(true, own),
    await remove(own),
    await remove(`${own}/second-factor`),
  ])
    expect(body).toMatchObject({ code: "invalid_request", detail: expect.stringContaining("own account") });
});

test("finds episodes by titles and file names", async () => {
  const { get } = await signUpOperator(api);
  const [episode] = await library.database.episodes.list();
  const { id = "", number = null, season = null, title = null, fileName = "" } = episode ?? {};
  const find = async (query: string) =>
    OperatorEpisodeList.parse(await get(`/api/operator/episodes?query=${encodeURIComponent(query)}`)).items;
  await library.database.episodes.edit(id, { season, number, title: "100%_Waltz for Venus" });
  expect((await find("%_waltz")).map((each) => each.id)).toEqual([id]);
  expect((await find(fileName.toUpperCase())).map((each) => each.id)).toContain(id);
  expect((await find(episode?.anime.titleRomaji ?? "")).map((each) => each.id)).toContain(id);
  expect(await find("no such title")).toEqual([]);
  // Other files search the same library.
  await library.database.episodes.edit(id, { season, number, title });
});
