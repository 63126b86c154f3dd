import {
  CorrectionList,
  SceneRankings,
  type SearchResult,
  StoredSearch,
  UserSearchList,
  UserUsage,
} from "@koma/contract";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFakeApi } from "./fixtures/fake-library.ts";
import { nextGuest, openTestLibrary } from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, signUp, signUpOperator } from "./fixtures/test-users.ts";

const hours = 3_600_000;

const library = await openTestLibrary();
const { api, clock, fake, find: search } = await openFakeApi(library);

const withToken = (token?: string) => (token === undefined ? "" : `?confirmToken=${token}`);
const get = (id: string, headers: Record<string, string> = {}, token?: string) =>
  api.call(`/api/anime/searches/${id}${withToken(token)}`, { headers });
const confirm = (id: string, body: object, headers: Record<string, string> = {}) =>
  postJson(api, `/api/anime/searches/${id}/confirm`, body, headers);
const unconfirm = (id: string, headers: Record<string, string> = {}, token?: string) =>
  api.call(`/api/anime/searches/${id}/confirm${withToken(token)}`, { method: "DELETE", headers });

test("a search is returned to its creator by session, key or token, without a charge", async () => {
  const user = await signUp(api);
  const key = await makeKey(api, user);
  const { id, matches, confirmToken } = await search(user.session);
  clock.nowMs += 2 * hours;
  for (const response of [
    await get(id, user.session),
    await get(id, key.headers),
    await get(id, {}, confirmToken),
    await get(id, (await signUp(api)).session, confirmToken),
  ]) {
    expect(response.status).toBe(200);
    const again = StoredSearch.parse(response.body);
    expect(again).toMatchObject({ id, isOwn: true, isPublic: true, outcome: "found", confirmation: null });
    const bare = (list: typeof matches) =>
      list.map(({ imageUrl: _image, videoUrl: _video, previewPaths: _paths, ...rest }) => rest);
    expect(bare(again.matches)).toEqual(bare(matches));
    // The new signature is valid for longer.
    expect(again.matches[0]?.imageUrl).not.toBe(matches[0]?.imageUrl);
    expect(again.matches[0]?.imageUrl).toMatch(/\/previews\/still\/episode-1\/\d+\/[\w-]+\/2000\.jpg$/);
  }
  const credits = await api.call("/api/user/anime-credits", { headers: user.session });
  expect(credits.body).toMatchObject({ free: { used: 1 } });
});

test("a search is 404 for other users, other guests, the same address and wrong tokens", async () => {
  const [user, otherUser, bot] = [await signUp(api), await signUp(api), await makeBot(api)];
  const from = { "x-forwarded-for": nextGuest() };
  const ids = [(await search(user.session)).id, (await search(from)).id];
  const wrong = "4bq0xJcJ2vNnM1l8Yy3o7w";
  for (const id of [...ids, "unknown"]) {
    for (const response of [
      ...[await get(id), await get(id, from), await get(id, {}, wrong), await get(id, otherUser.session)],
      ...[await get(id, bot.headers), await confirm(id, { rank: 1 }), await confirm(id, { rank: 1 }, from)],
      ...[await confirm(id, { rank: 1, confirmToken: wrong }), await unconfirm(id, from)],
      ...[await confirm(id, { rank: 1 }, otherUser.session), await unconfirm(id, otherUser.session)],
    ]) {
      expectProblem(response, "not_found");
    }
  }
});

test("a search is public once confirmed and marked public, and not before", async () => {
  const user = await signUp(api);
  const [open, hidden] = [await search(user.session), await search(user.session, { isPublic: "false" })];
  for (const { id } of [open, hidden]) {
    expect((await confirm(id, { rank: 2 }, user.session)).status).toBe(200);
  }
  const seen = StoredSearch.parse((await get(open.id)).body);
  expect(seen.isOwn).toBe(false);
  expect(seen.confirmation).toMatchObject({ id: open.id, rank: 2 });
  expect(JSON.stringify(seen)).not.toContain(user.id);
  const ranked = SceneRankings.parse((await api.call("/api/anime/rankings/scenes?limit=50")).body).entries;
  expect(ranked.map(({ anime }) => anime.id)).toContain(seen.matches[1]?.anime.id);
  expect(ranked.map(({ id }) => id)).not.toContain(hidden.id);
  expect((await get(hidden.id)).status).toBe(404);
  expect((await get(hidden.id, user.session)).body).toMatchObject({
    isPublic: false,
    confirmation: { rank: 2 },
  });
  await unconfirm(open.id, user.session);
  expect((await get(open.id)).status).toBe(404);
});

test("a search is confirmed, changed and unconfirmed by its creator; guests need the token", async () => {
  const { id, confirmToken } = await search();
  const first = await confirm(id, { rank: 1, confirmToken });
  expect(first.body).toEqual({ id, rank: 1, confirmedAt: new Date(clock.nowMs).toISOString() });
  clock.nowMs += 1000;
  // Repeating a confirmation changes nothing; another rank replaces it.
  expect((await confirm(id, { rank: 1, confirmToken })).body).toEqual(first.body);
  expect((await confirm(id, { rank: 0, confirmToken })).body).toEqual({
    id,
    rank: 0,
    confirmedAt: new Date(clock.nowMs).toISOString(),
  });
  expect((await get(id, {}, confirmToken)).body).toMatchObject({ confirmation: { rank: 0 } });
  for (let times = 0; times < 2; times++) expect((await unconfirm(id, {}, confirmToken)).status).toBe(204);
  expect((await get(id, {}, confirmToken)).body).toMatchObject({ confirmation: null });
});

test("a search is not confirmed by an invalid body", async () => {
  const user = await signUp(api);
  const { id } = await search(user.session);
  for (const [body, path] of [
    ...[{ rank: 3 }, { rank: 6 }, { rank: -1 }, { rank: 1.5 }, { rank: "1" }, {}].map((it) => [it, "rank"]),
    [{ rank: 1, confirmToken: "a b" }, "confirmToken"],
    [[], ""],
  ] as const) {
    const response = await confirm(id, body as object, user.session);
    const refusal = { status: 400, code: "invalid_request", errors: [{ path }] };
    expect([body, response.body]).toMatchObject([body, refusal]);
  }
});

test("a correction reaches the operators, once per search, until it is settled or withdrawn", async () => {
  const { episodes } = library.database;
  const [wrong] = fake.matches;
  if (wrong === undefined) throw new Error("The search has a match.");
  const episode = await episodes.upsertPending({
    ...{ path: "/videos/wrong.mp4", fileName: "wrong.mp4", sizeBytes: 1, modifiedAtMs: 1 },
    ...{ animeId: wrong.anime.id, season: 2, number: "1", title: "The title" },
  });
  wrong.episode.id = episode.id;
  const operator = await signUpOperator(api);
  const path = "/api/operator/corrections";
  const { id, confirmToken = "", matches } = await search();
  const find = async () => {
    const list = await operator.get(`${path}?pageSize=100`);
    return CorrectionList.parse(list).items.find((one) => one.id === id);
  };
  const correct = (correction: string, rank = 0) => confirm(id, { rank, correction, confirmToken });
  expectProblem(await correct("Alpha Show", 1), "invalid_request");
  expectProblem(await correct("a\nb"), "invalid_request");
  expect(await find()).toBeUndefined();

  for (const text of ["Beta Show", "Beta Show, episode 2"]) expect((await correct(text)).status).toBe(200);
  const found = await find();
  expect(found).toMatchObject({ text: "Beta Show, episode 2", match: { rank: 1 } });
  expect(found?.match?.anime).toEqual(matches[0]?.anime);
  await unconfirm(id, {}, confirmToken);
  expect(await find()).toBeUndefined();
  const animeId = matches[1]?.anime.id ?? "";
  expect(animeId).not.toBe(matches[0]?.anime.id);
  for (const body of [
    { rank: 1, correctedAnimeId: animeId },
    { rank: 0, correctedEpisode: "4" },
    { rank: 0, correctedAnimeId: "unknown" },
  ])
    expectProblem(await confirm(id, { ...body, confirmToken }), "invalid_request");
  const structured = { rank: 0, correctedAnimeId: animeId, correctedEpisode: "4" };
  expect((await confirm(id, { ...structured, confirmToken })).status).toBe(200);
  expect(await find()).toMatchObject({
    ...{ text: null, anime: matches[1]?.anime, number: "4" },
    episode: { id: episode.id, anime: matches[0]?.anime, season: 2, number: "1" },
  });
  const apply = () => operator.post(`${path}/${id}/apply`);
  expect((await apply()).status).toBe(204);
  expect(await find()).toBeUndefined();
  expect(await episodes.find(episode.id)).toMatchObject({
    animeId,
    season: null,
    number: "4",
    title: null,
  });
  expectProblem(await apply(), "not_found");

  const chosen = { rank: 0, correctedAnimeId: animeId, confirmToken };
  await confirm(id, chosen);
  await episodes.remove([episode.id]);
  expectProblem(await apply(), "not_found");

  await correct("Beta Show");
  expectProblem(await apply(), "not_found");
  await confirm(id, { rank: 1, confirmToken });
  expect(await find()).toBeUndefined();

  await correct("Beta Show");
  // The search of a guest is deleted before its correction.
  const { database } = library;
  const days = (count: number) => new Date(clock.nowMs + count * 24 * hours);
  await database.collectGarbage({ at: days(2), historyDays: 90 });
  expect(await find()).toMatchObject({ text: "Beta Show" });
  const settle = () => operator.remove(`${path}/${id}`);
  expect((await settle()).status).toBe(204);
  expectProblem(await settle(), "not_found");

  const another = await search();
  const old = { rank: 0, correction: "Beta Show", confirmToken: another.confirmToken };
  expect((await confirm(another.id, old)).status).toBe(200);
  await database.collectGarbage({ at: days(91), historyDays: 90 });
  const { total } = await database.corrections.list({ page: 1, pageSize: 1 });
  expect(total).toBe(0);
});

test("a search can be confirmed for 24 hours, after which a guest's search is deleted", async () => {
  const user = await signUp(api);
  const [own, guests] = [await search(user.session), await search()];
  const hidden = await search(user.session, { isPublic: "false" });
  const { confirmToken } = guests;
  const shown = await search();
  const proof = { confirmToken: shown.confirmToken };
  expect((await confirm(shown.id, { rank: 1, ...proof })).status).toBe(200);
  clock.nowMs += 24 * hours - 1;
  expect((await get(guests.id, {}, confirmToken)).status).toBe(200);
  expect((await confirm(own.id, { rank: 1 }, user.session)).status).toBe(200);
  clock.nowMs += 1;
  const at = new Date(clock.nowMs);
  // The result is the same before and after expired rows are deleted.
  for (const clean of [async () => {}, () => library.database.collectGarbage({ at })]) {
    await clean();
    for (const response of [
      await confirm(own.id, { rank: 2 }, user.session),
      await unconfirm(own.id, user.session),
      await confirm(guests.id, { rank: 1, confirmToken }),
      await unconfirm(guests.id, {}, confirmToken),
      await confirm(shown.id, { rank: 2, ...proof }),
      await unconfirm(shown.id, {}, shown.confirmToken),
    ]) {
      expectProblem(response, "confirmation_expired");
    }
    for (const otherUser of [
      await confirm(own.id, { rank: 2 }),
      await confirm(guests.id, { rank: 1 }),
      await confirm(own.id, { rank: 2, confirmToken }),
      await confirm(guests.id, { rank: 1, confirmToken: own.confirmToken }),
      await confirm(guests.id, { rank: 1, confirmToken: `${confirmToken}A` }),
      await confirm("unknown", { rank: 1, confirmToken }),
      await get(guests.id, {}, confirmToken),
      await get(hidden.id, {}, hidden.confirmToken),
    ]) {
      expectProblem(otherUser, "not_found");
    }
    expect((await get(hidden.id, user.session)).status).toBe(200);
    expect((await get(own.id)).status).toBe(200);
    expect((await get(shown.id)).body).toMatchObject({ confirmation: { rank: 1 } });
  }
  expect(await library.query(`SELECT 1 FROM "Search" WHERE "id" = $1`, [guests.id])).toEqual([]);
});

test("a search is in its creator's paged history until the creator deletes it", async () => {
  const [user, otherUser] = [await signUp(api), await signUp(api)];
  const ids: string[] = [];
  let confirmToken = "";
  for (let i = 0; i < 3; i++) {
    clock.nowMs += 1000;
    const created = await search(user.session);
    if (i === 1) ({ confirmToken } = created);
    ids.unshift(created.id);
  }
  await search();
  const [newest = "", middle = "", oldest = ""] = ids;
  await confirm(middle, { rank: 2 }, user.session);
  await confirm(oldest, { rank: 0 }, user.session);
  const list = async (query = "", headers: Record<string, string> = user.session) =>
    UserSearchList.parse((await api.call(`/api/user/searches${query}`, { headers })).body);
  const all = await list();
  expect(all).toMatchObject({ page: 1, pageSize: 20, total: 3 });
  expect(all.items.map(({ id }) => id)).toEqual(ids);
  expect(all.items.map(({ confirmation }) => confirmation?.rank ?? null)).toEqual([null, 2, 0]);
  expect(all.items.map(({ scene }) => scene?.similarity ?? null)).toEqual([0.95, 0.5, null]);
  expect((await list("?page=2&pageSize=2")).items.map(({ id }) => id)).toEqual([oldest]);
  expect(await list("?page=9")).toMatchObject({ page: 9, total: 3, items: [] });
  expect(await list("", otherUser.session)).toMatchObject({ total: 0, items: [] });

  const remove = (id: string, headers: Record<string, string>) =>
    api.call(`/api/user/searches/${id}`, { method: "DELETE", headers });
  expect((await remove(middle, otherUser.session)).status).toBe(404);
  expect((await remove(middle, user.session)).status).toBe(204);
  expect((await remove(middle, user.session)).status).toBe(404);
  expect((await list()).items.map(({ id }) => id)).toEqual([newest, oldest]);
  expect((await get(middle)).status).toBe(404);
  expectProblem(await confirm(middle, { rank: 1, confirmToken }), "not_found");
  const recent = await api.call("/api/anime/recent-searches?limit=100");
  expect(JSON.stringify(recent.body)).not.toContain(middle);
});

test("the search of a guest is added to the history of an account by its token, and then belongs to the account", async () => {
  const [user, otherUser] = [await signUp(api), await signUp(api)];
  const old = await search();
  clock.nowMs += 24 * hours;
  const [guests, users] = [await search(), await search(otherUser.session)];
  const { id, confirmToken } = guests;
  const toProof = ({ id, confirmToken }: SearchResult) => ({ id, confirmToken });
  const add = async (...searches: ReturnType<typeof toProof>[]) =>
    (await postJson(api, "/api/user/searches", { searches }, user.session)).body;
  expect(await add({ id, confirmToken: "guess" })).toEqual({ added: 0 });
  expect(await add(...[guests, old, users].map(toProof))).toEqual({ added: 1 });
  expect(await add(toProof(guests))).toEqual({ added: 0 });
  const { body } = await api.call("/api/user/searches", { headers: user.session });
  expect(UserSearchList.parse(body).items.map((item) => item.id)).toEqual([id]);
  expect((await get(id, {}, confirmToken)).status).toBe(404);
  expect(await add()).toMatchObject({ code: "invalid_request" });
});

test("a search has no scene in the history when the image is not in the library, unless it is confirmed", async () => {
  const user = await signUp(api);
  fake.outcome = "uncertain";
  const uncertain = await search(user.session);
  fake.outcome = "not_in_library";
  const absent = await search(user.session);
  const list = async () => {
    const { body } = await api.call("/api/user/searches", { headers: user.session });
    const byId = new Map(UserSearchList.parse(body).items.map((item) => [item.id, item]));
    return [uncertain, absent].map(({ id }) => {
      const item = byId.get(id);
      return [item?.outcome, item?.scene?.similarity ?? null];
    });
  };
  expect(await list()).toEqual([
    ["uncertain", 0.95],
    ["not_in_library", null],
  ]);
  await confirm(absent.id, { rank: 1 }, user.session);
  expect(await list()).toEqual([
    ["uncertain", 0.95],
    ["not_in_library", 0.95],
  ]);
});

test("a search counts in its creator's usage of the last 30 UTC days", async () => {
  const [user, otherUser] = [await signUp(api), await signUp(api)];
  const readUsage = async () =>
    UserUsage.parse((await api.call("/api/user/usage", { headers: user.session })).body).days;
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  await search(user.session);
  clock.nowMs += 24 * hours;
  await search(user.session);
  await search(user.session);
  await search(otherUser.session);
  const days = await readUsage();
  expect(days).toHaveLength(30);
  expect(days.slice(-2)).toEqual([
    { day: dayOf(clock.nowMs - 24 * hours), searches: 1 },
    { day: dayOf(clock.nowMs), searches: 2 },
  ]);
  expect(days.slice(0, -2).every(({ searches }) => searches === 0)).toBe(true);
  clock.nowMs += 29 * 24 * hours;
  const [first, ...later] = await readUsage();
  expect(first?.searches).toBe(2);
  expect(later.every(({ searches }) => searches === 0)).toBe(true);
});
