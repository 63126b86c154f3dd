import { MetadataSyncError } from "@koma/library";
import { afterAll, afterEach, expect, test } from "vitest";
import { openTestLibrary } from "../fixtures/open-test-library.ts";
import { type Media, startAniList } from "./anilist-server.ts";

let server: Awaited<ReturnType<typeof startAniList>> | undefined;

const opened = await openTestLibrary();
afterEach(async () => {
  await server?.close();
  server = undefined;
  const rows = await opened.database.episodes.list();
  await opened.database.episodes.remove(rows.map(({ id }) => id));
});
afterAll(() => opened.close());

async function addAnime(
  title: string,
  o: { anilistId?: number; seasons?: (number | null)[] } = {},
): Promise<void> {
  const key = o.anilistId === undefined ? title.toLowerCase() : `anilist:${o.anilistId}`;
  const anime = await opened.database.anime.findOrCreate({ key, title, anilistId: o.anilistId });
  for (const season of o.seasons ?? [null]) {
    const path = `${opened.videosDir}/${title}/${season ?? 0}.mp4`;
    const file = { path, fileName: "1.mp4", sizeBytes: 1, modifiedAtMs: 1 };
    await opened.database.episodes.upsertPending({
      ...file,
      animeId: anime.id,
      season,
      number: "1",
      title: null,
    });
  }
}

function media(id: number, romaji: string, english: string | null = null): Media {
  return { id, idMal: id + 1, title: { romaji, english, native: null } };
}

test("requests known ids in one page and several titles per request", async () => {
  const known = Array.from({ length: 12 }, (_, at) => media(1000 + at, `Known ${at}`));
  const unknown = Array.from({ length: 10 }, (_, at) =>
    media(2000 + at, `Romaji ${at}`, `Unknown ${String.fromCharCode(65 + at)}`),
  );
  for (const one of known) await addAnime(`Folder ${one.id}`, { anilistId: one.id });
  for (const one of unknown) await addAnime(one.title.english ?? "");
  await addAnime("Nobody Knows");
  server = await startAniList([...known, ...unknown]);
  const progress: number[] = [];
  const result = await opened.library.syncMetadata({
    endpoint: server.endpoint,
    onProgress: ({ done }) => progress.push(done),
  });
  expect(result).toEqual({ matched: 22, unmatched: ["Nobody Knows"] });
  expect(server.requests).toHaveLength(2);
  expect(progress.at(-1)).toBe(23);
  const titles = (await opened.library.list()).map(({ anime }) => [
    anime.anilistId,
    anime.titleRomaji,
    anime.coverUrl,
  ]);
  expect(titles).toContainEqual([1003, "Known 3", "https://example.org/1003.png"]);
  expect(titles).toContainEqual([2003, "Romaji 3", "https://example.org/2003.png"]);

  // Anime with metadata are not requested again.
  await opened.library.syncMetadata({ endpoint: server.endpoint });
  expect(server.requests).toHaveLength(3);
  expect(Object.values(server.requests[2]?.variables ?? {})).toEqual(["Nobody Knows"]);
});

test("reads where an anime can be watched, also for an anime that has metadata without links", async () => {
  const stream = (url: string | null, other: object = {}) => ({
    site: "Stream",
    url,
    type: "STREAMING",
    ...other,
  });
  const many = Array.from({ length: 9 }, (_, at) => stream(`https://stream.example/${at}`));
  const externalLinks = [
    null,
    stream("http://insecure.example/"),
    stream("javascript:alert(1)"),
    stream("no address"),
    stream(null),
    stream("https://gone.example/", { isDisabled: true }),
    { site: "Official Site", url: "https://official.example/", type: "INFO" },
    many[0] ?? null,
    ...many,
  ];
  await addAnime("Watched Road", { anilistId: 41 });
  const { id } = await opened.database.anime.findOrCreate({ key: "anilist:41", anilistId: 41 });
  await opened.database.anime.applyMetadata(id, {
    anilistId: 41,
    malId: null,
    titleRomaji: "Watched Road",
    titleEnglish: null,
    titleNative: null,
    synonyms: [],
    format: null,
    year: null,
    isAdult: false,
    coverUrl: null,
  });
  server = await startAniList([{ ...media(41, "Watched Road"), externalLinks }]);
  await opened.library.syncMetadata({ endpoint: server.endpoint });
  const links = many.slice(0, 8).map(({ site, url }) => ({ site, url }));
  expect(await opened.database.anime.findByAnilistId(41)).toMatchObject({ links, year: 2020 });
  await opened.library.syncMetadata({ endpoint: server.endpoint });
  expect(server.requests).toHaveLength(1);
});

test("assigns a later season to the anime that AniList lists for it", async () => {
  await addAnime("Season Road", { seasons: [1, 2] });
  server = await startAniList([media(1, "Season Road"), media(2, "Season Road 2nd Season")]);
  expect(await opened.library.syncMetadata({ endpoint: server.endpoint })).toEqual({
    matched: 2,
    unmatched: [],
  });
  const entries = (await opened.library.list()).map(({ anime, episodes }) => [
    anime.anilistId,
    episodes.map(({ season }) => season),
  ]);
  expect(entries).toEqual([
    [1, [1]],
    [2, [null]],
  ]);
});

test("keeps a season in the show that an operator merged it into", async () => {
  const { database, library } = opened;
  await addAnime("Merged Road", { seasons: [1, 2] });
  server = await startAniList([media(31, "Merged Road"), media(32, "Merged Road 2nd Season")]);
  await library.syncMetadata({ endpoint: server.endpoint });
  const [show, season] = [await database.anime.findByAnilistId(31), await database.anime.findByAnilistId(32)];
  await database.anime.merge(season?.id ?? "", show?.id ?? "");
  const [episode] = (await database.episodes.list({ ids: [show?.id ?? ""] })).filter(
    (one) => one.season === null,
  );
  await database.episodes.edit(episode?.id ?? "", { season: 2, number: "1", title: null });
  const path = `${opened.videosDir}/Merged Road/2b.mp4`;
  const file = { path, fileName: "2b.mp4", sizeBytes: 1, modifiedAtMs: 1 };
  const naming = { animeId: show?.id ?? "", season: 2, number: "2", title: null };
  await database.episodes.upsertPending({ ...file, ...naming });

  await library.syncMetadata({ endpoint: server.endpoint });
  const entries = (await library.list()).map(({ anime, episodes }) => [
    anime.anilistId,
    anime.titleRomaji,
    episodes.map((one) => one.season),
  ]);
  expect(entries).toEqual([[31, "Merged Road", [1, 2, 2]]]);
});

test("merges two names of one work into one anime", async () => {
  await addAnime("Shingeki no Kyojin");
  await addAnime("Attack on Titan");
  server = await startAniList([media(16498, "Shingeki no Kyojin", "Attack on Titan")]);
  expect(await opened.library.syncMetadata({ endpoint: server.endpoint })).toMatchObject({ unmatched: [] });
  const entries = await opened.library.list();
  expect(entries.map(({ anime, episodes }) => [anime.anilistId, episodes.length])).toEqual([[16498, 2]]);
});

test("waits as AniList requires and retries after a server error", async () => {
  await addAnime("Waiting Road");
  server = await startAniList([media(7, "Waiting Road")], (request) => {
    const errors = [{ message: "Too Many Requests.", status: 429 }];
    if (request === 1) return { status: 429, headers: { "retry-after": "1" }, body: { data: null, errors } };
    return request === 2 ? { status: 502, body: "Bad Gateway" } : undefined;
  });
  const waits: number[] = [];
  const startedAtMs = performance.now();
  const result = await opened.library.syncMetadata({
    endpoint: server.endpoint,
    onWait: (seconds) => waits.push(seconds),
  });
  expect(result).toEqual({ matched: 1, unmatched: [] });
  expect(waits[0]).toBe(1);
  expect(waits).toHaveLength(2);
  expect(performance.now() - startedAtMs).toBeGreaterThan(1000);
});

test.each([
  [
    "rejects the query",
    400,
    { data: null, errors: [{ message: "Max query complexity should be 500 but got 600." }] },
    /complexity/,
  ],
  [
    "returns no data",
    200,
    { data: null, errors: [{ message: "Something went wrong." }] },
    /Something went wrong/,
  ],
  ["returns another form", 200, { data: { found0: { media: [{ id: "x" }] } } }, /form/],
])("throws when AniList %s", async (_, status, body, message) => {
  await addAnime("Lantern Road");
  server = await startAniList([], () => ({ status, body }));
  const syncing = opened.library.syncMetadata({ endpoint: server.endpoint });
  await expect(syncing).rejects.toThrow(MetadataSyncError);
  await expect(syncing).rejects.toThrow(message);
  expect(server.requests).toHaveLength(1);
});

test("stops at once while it waits", async () => {
  await addAnime("Lantern Road");
  server = await startAniList([], () => ({ status: 429, headers: { "retry-after": "60" }, body: {} }));
  const stopping = new AbortController();
  const syncing = opened.library.syncMetadata({
    endpoint: server.endpoint,
    signal: stopping.signal,
    onWait: () => stopping.abort(),
  });
  await expect(syncing).rejects.toThrow("aborted");
});
