import { randomUUID } from "node:crypto";
import { Rankings, RecentSearchList, SearchResult } from "@koma/contract";
import type { Anime } from "@koma/database";
import { beforeAll, expect, test } from "vitest";
import { describeWithLibrary } from "./fixtures/describe-with-library.ts";
import { openFake } from "./fixtures/fake-library.ts";
import { nextGuest, readImage, type TestApi } from "./fixtures/open-test-api.ts";
import { postJson } from "./fixtures/test-users.ts";

const days = 86_400_000;
// Every test uses years of its own, because rankings count the searches of all callers.
let firstMs = Date.parse("2030-01-01T00:00:00.000Z");

describeWithLibrary("rankings and recent searches", (open) => {
  const clock = { nowMs: 0 };
  let fake: Awaited<ReturnType<typeof openFake>>;
  let api: TestApi;
  beforeAll(async () => {
    const now = () => new Date(clock.nowMs);
    api = await open().openApi({}, { now, getSearch: () => fake.library });
  });

  async function openAt(anime: readonly Anime[], startMs?: number) {
    firstMs += 800 * days;
    clock.nowMs = startMs ?? firstMs;
    fake = await openFake(open().database, anime);
    const image = await readImage("Alpha Show 2.jpg");
    const search = async (fields: Record<string, string> = {}) =>
      SearchResult.parse((await api.search({ image, ...fields }, { from: nextGuest() })).body);
    const confirm = async ({ id, confirmToken }: SearchResult, rank: number) =>
      expect((await postJson(api, `/api/anime/searches/${id}/confirm`, { rank, confirmToken })).status).toBe(
        200,
      );
    const rank = async (query: string) =>
      Rankings.parse((await api.call(`/api/anime/rankings?${query}`)).body);
    const counts = async (query: string) =>
      (await rank(query)).entries.map(({ rank, anime, searches }) => [rank, anime.title.romaji, searches]);
    return { search, confirm, rank, counts };
  }

  async function makeAnime(title: string, isAdult = false): Promise<Anime> {
    const { anime } = open().database;
    const built = await anime.findOrCreate({ key: randomUUID(), title });
    if (!isAdult) return built;
    const { id: _id, isSample: _sample, metadataAt: _at, ...metadata } = built;
    const adult = await anime.applyMetadata(built.id, { ...metadata, isAdult });
    if (adult === undefined) throw new Error("It was just made.");
    return adult;
  }

  test("the ranking of seven days is an Atom feed, without anime for adults", async () => {
    const [one, adult] = [await makeAnime('<A> & "B"'), await makeAnime("Adult", true)];
    const { search, confirm } = await openAt([one, adult]);
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

  test("a search counts for its confirmed match, else for its first confident one, else not at all", async () => {
    const [one, other] = [await makeAnime("One"), await makeAnime("Other")];
    const { search, confirm, counts } = await openAt([one, other]);
    const found = await search();
    expect(await counts("period=daily")).toEqual([[1, "One", 1]]);
    await confirm(found, 2);
    expect(await counts("period=daily")).toEqual([[1, "Other", 1]]);
    await confirm(found, 0);
    expect(await counts("period=daily")).toEqual([]);
    const { id, confirmToken } = found;
    await api.call(`/api/anime/searches/${id}/confirm?confirmToken=${confirmToken}`, { method: "DELETE" });
    expect(await counts("period=daily")).toEqual([[1, "One", 1]]);
    fake.matches = fake.matches.map((match) => ({ ...match, isConfident: false }));
    await search();
    fake.matches = [];
    await search();
    expect(await counts("period=daily")).toEqual([[1, "One", 1]]);
  });

  test("periods are the last 1, 7, 30 and 365 UTC days including today, and all time", async () => {
    const anime = await makeAnime("Steady");
    const { search, rank } = await openAt([anime]);
    const today = clock.nowMs;
    for (const ago of [365, 364, 30, 29, 7, 6, 1, 0]) {
      clock.nowMs = today - ago * days;
      await search();
    }
    // The last millisecond of the day.
    clock.nowMs = today + days - 1;
    const to = new Date(today + days).toISOString();
    for (const [period, ago, searches] of [
      ["daily", 0, 1],
      ["weekly", 6, 3],
      ["monthly", 29, 5],
      ["yearly", 364, 7],
    ] as const) {
      const { entries, ...window } = await rank(`period=${period}`);
      expect(window).toEqual({ period, from: new Date(today - ago * days).toISOString(), to });
      expect(entries).toMatchObject([{ rank: 1, anime: { id: anime.id }, searches }]);
    }
    const all = await rank("limit=100");
    expect(all).toMatchObject({ period: "all", from: null, to });
    expect(all.entries.find((entry) => entry.anime.id === anime.id)?.searches).toBe(8);
  });

  test("equal counts share a rank and are sorted by title; limit truncates; adult anime need includeAdult", async () => {
    const [beta, alpha, gamma] = [
      await makeAnime("beta"),
      await makeAnime("Alpha"),
      await makeAnime("Gamma"),
    ];
    const adult = await makeAnime("Adult", true);
    const { search, counts } = await openAt([beta]);
    const [scene] = fake.matches;
    if (scene === undefined) throw new Error("There is a scene.");
    for (const anime of [beta, alpha, gamma, gamma, adult, adult, adult]) {
      fake.matches = [{ ...scene, anime }];
      await search();
    }
    const plain = [
      [1, "Gamma", 2],
      [2, "Alpha", 1],
      [2, "beta", 1],
    ];
    expect(await counts("period=daily")).toEqual(plain);
    expect(await counts("period=daily&includeAdult=false")).toEqual(plain);
    expect(await counts("period=daily&limit=2")).toEqual(plain.slice(0, 2));
    expect(await counts("period=daily&includeAdult=true")).toEqual([
      ...[
        [1, "Adult", 3],
        [2, "Gamma", 2],
        [3, "Alpha", 1],
        [3, "beta", 1],
      ],
    ]);
  });

  test("recent searches are confirmed public ones, newest first, without adult ones or caller data", async () => {
    const [one, other, adult] = [await makeAnime("One"), await makeAnime("Two"), await makeAnime("X", true)];
    const { search, confirm } = await openAt([one, other]);
    const recent = async (query = "") =>
      RecentSearchList.parse((await api.call(`/api/anime/recent-searches${query}`)).body);
    const { total: before } = await recent();
    const [first, second, hidden] = [await search(), await search(), await search({ isPublic: "false" })];
    const [none, unsaid] = [await search(), await search()];
    clock.nowMs += 1000;
    await confirm(second, 1);
    clock.nowMs += 1000;
    await confirm(first, 2);
    await confirm(hidden, 1);
    await confirm(none, 0);
    const [scene] = fake.matches;
    fake.matches = scene === undefined ? [] : [{ ...scene, anime: adult }];
    await confirm(await search(), 1);
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
        previewPaths: {
          stills: {
            s: expect.stringMatching(/^\/previews\/still\/.*\?size=s$/),
            m: expect.stringMatching(/^\/previews\/still\/.*\?size=m$/),
            l: expect.stringMatching(/^\/previews\/still\/.*\?size=l$/),
          },
        },
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
    expect((await recent("?offset=10000")).items).toEqual([]);
    for (const { id } of [hidden, none, unsaid]) expect(JSON.stringify(list)).not.toContain(id);
  });

  test("ignores credentials, including invalid ones", async () => {
    await openAt([await makeAnime("Any")]);
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
});
