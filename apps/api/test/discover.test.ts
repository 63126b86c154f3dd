import { Rankings, RecentSearchList, type SearchResult } from "@koma/contract";
import { beforeEach, expect, test } from "vitest";
import { openFakeApi } from "./fixtures/fake-library.ts";
import { openTestLibrary } from "./fixtures/open-test-api.ts";
import { createAnime } from "./fixtures/test-anime.ts";
import { confirmMatch } from "./fixtures/test-users.ts";

const days = 86_400_000;
// Every test uses years of its own, because rankings count the searches of all callers.
let firstMs = Date.parse("2030-01-01T00:00:00.000Z");

const library = await openTestLibrary();
const { api, clock, fake, find: search } = await openFakeApi(library);
beforeEach(() => {
  firstMs += 800 * days;
  clock.nowMs = firstMs;
});

/** Creates two anime, whose scenes the searches find. */
async function showAnime(title: string, other: string, isOtherAdult = false) {
  const { database } = library;
  const anime = [
    await createAnime(database, title),
    await createAnime(database, other, { isAdult: isOtherAdult }),
  ] as const;
  fake.show(anime);
  return anime;
}

const confirm = (found: SearchResult, rank: number) => confirmMatch(api, found, rank);
const rank = async (query: string) => Rankings.parse((await api.call(`/api/anime/rankings?${query}`)).body);
const counts = async (query: string) =>
  (await rank(query)).entries.map(({ rank, anime, searches }) => [rank, anime.title.romaji, searches]);

test("the ranking of seven days is an Atom feed, without anime for adults", async () => {
  const [one] = await showAnime('<A> & "B"', "Adult", true);
  await search();
  await confirm(await search(), 2);
  const response = await fetch(`${api.url}/rankings.atom`);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/atom+xml; charset=utf-8",
  ]);
  const feed = await response.text();
  const read = (name: string) =>
    [...feed.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "g"))].map(([, text]) => text);
  expect(read("id")).toEqual([`${api.url}/rankings.atom`, `${api.url}/rankings#${one.id}`]);
  expect(read("title")).toEqual([`Koma: ${new URL(api.url).host}`, "&lt;A&gt; &amp; &quot;B&quot;"]);
  expect(read("summary")).toEqual(["1. 1 search"]);
  const today = `${new Date(clock.nowMs).toISOString().slice(0, 10)}T00:00:00Z`;
  expect(read("updated")).toEqual([today, today]);
});

test("a ranking has its period, and anime for adults on request", async () => {
  const [, adult] = await showAnime("Steady", "Adult", true);
  await search();
  fake.show([adult]);
  for (let times = 0; times < 2; times++) await search();
  // The last millisecond of the day.
  clock.nowMs += days - 1;
  const to = new Date(clock.nowMs + 1).toISOString();
  for (const [period, length] of [
    ["daily", 1],
    ["weekly", 7],
    ["monthly", 30],
    ["yearly", 365],
  ] as const) {
    const from = new Date(clock.nowMs + 1 - length * days).toISOString();
    expect(await rank(`period=${period}`)).toMatchObject({ period, from, to, entries: [{ searches: 1 }] });
  }
  expect(await rank("limit=1")).toMatchObject({ period: "all", from: null, to, entries: [{}] });
  expect(await counts("period=daily&includeAdult=true")).toEqual([
    ...[[1, "Adult", 2] as const, [2, "Steady", 1] as const],
  ]);
});

test("recent searches are confirmed public ones, newest first, without caller data", async () => {
  const [, other] = await showAnime("One", "Two");
  const recent = async (query = "") =>
    RecentSearchList.parse((await api.call(`/api/anime/recent-searches${query}`)).body);
  const { total: before } = await recent();
  const [first, second, hidden] = [await search(), await search(), await search({}, { isPublic: "false" })];
  clock.nowMs += 1000;
  await confirm(second, 1);
  clock.nowMs += 1000;
  await confirm(first, 2);
  await confirm(hidden, 1);
  fake.show([await createAnime(library.database, "Adult", { isAdult: true })]);
  const ofAdult = await search();
  await confirm(ofAdult, 1);
  const list = await recent();
  expect(list).toMatchObject({ total: before + 2, limit: 20, offset: 0 });
  expect(list.items.slice(0, 2)).toEqual([
    {
      id: first.id,
      anime: expect.objectContaining({ id: other.id }),
      episode: { season: null, number: 1, title: null },
      timestamp: 2,
      similarity: 0.5,
      imageUrl: expect.stringContaining("/previews/still/"),
      previewPaths: { stills: { s: expect.any(String), m: expect.any(String), l: expect.any(String) } },
      confirmedAt: new Date(clock.nowMs).toISOString(),
    },
    expect.objectContaining({ id: second.id, similarity: 0.95 }),
  ]);
  expect(await recent("?limit=1&offset=1")).toMatchObject({
    total: before + 2,
    limit: 1,
    offset: 1,
    items: [{ id: second.id }],
  });
  for (const { id } of [hidden, ofAdult]) expect(JSON.stringify(list)).not.toContain(id);
});

test("ignores credentials, including invalid ones", async () => {
  for (const path of ["/api/anime/rankings", "/api/anime/recent-searches", "/api/anime"]) {
    const headers = {
      authorization: "Bearer bad",
      cookie: "better-auth.session_token=bad.bad",
      origin: "https://evil.example",
      "x-koma-chat-user": "nobody",
    };
    expect((await api.call(path, { headers })).status).toBe(200);
  }
});
