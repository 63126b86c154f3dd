import { describe, expect, test } from "vitest";
import {
  TraceMoeAnime,
  TraceMoeFiles,
  TraceMoePercentiles,
  TraceMoeStatus,
  TraceMoeTraffic,
} from "../src/docs/trace-moe-paths.ts";
import { chooseRange } from "../src/trace-moe/clip-range.ts";
import { titleSimilarity } from "../src/trace-moe/title-similarity.ts";
import { openFake } from "./fixtures/fake-library.ts";
import { nextGuest, openTestLibrary, readImage, type TestApi } from "./fixtures/open-test-api.ts";
import { makeKey, signUp } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi({ KOMA_PUBLIC_LIBRARY: "true" });
const image = await readImage("Alpha Show 2.jpg");

async function get(path: string, { at = api, from = nextGuest() } = {}) {
  const { status, body } = await at.call(`/trace.moe${path}`, { headers: { "x-forwarded-for": from } });
  return { status, body };
}

function search(at: TestApi, headers: Record<string, string>) {
  return at.call("/trace.moe/search", { method: "POST", body: image, headers });
}

test("a search has up to ten results, of which Koma's own API has five", async () => {
  const fake = await openFake(library.database);
  const [scene] = fake.matches;
  if (scene === undefined) throw new Error("There is no scene.");
  fake.matches = Array.from({ length: 10 }, (_, at) => ({ ...scene, rank: at + 1 }));
  const at = await library.openApi({}, { getSearch: () => fake.library });
  const headers = { "x-forwarded-for": nextGuest() };
  expect((await search(at, headers)).body).toMatchObject({ result: Array(10).fill({}) });
  expect((await at.search({ image })).body).toMatchObject({ matches: Array(5).fill({}) });
});

test("a guest searches one image at a time, an account four", async () => {
  const fake = await openFake(library.database);
  const at = await library.openApi({}, { getSearch: () => fake.library });
  const headers = { "x-forwarded-for": nextGuest() };
  const held = fake.hold();
  const first = search(at, headers);
  await held.begun;
  expect(await search(at, headers)).toMatchObject({
    status: 402,
    body: { error: "Concurrency limit exceeded" },
  });
  held.go();
  expect((await first).status).toBe(200);
  expect((await search(at, headers)).status).toBe(200);
  const { key } = await makeKey(at, await signUp(at));
  const me = await at.call("/trace.moe/me", { headers: { "x-trace-key": key } });
  expect(me.body).toMatchObject({ concurrency: 4 });
});

test("/me?period= counts the successful searches of the caller", async () => {
  const from = nextGuest();
  expect((await get("/me?period=day", { from })).body).toEqual([]);
  await search(api, { "x-forwarded-for": from });
  for (const period of ["minute", "hour", "day"]) {
    const { body } = await get(`/me?period=${period}`, { from });
    expect(TraceMoeTraffic.parse(body)).toEqual([
      { time: expect.any(String), 200: 1, 400: 0, 402: 0, 405: 0, 500: 0, 503: 0, total: 1 },
    ]);
  }
  expect(await get("/me?period=year")).toEqual({ status: 400, body: { error: "Invalid period" } });
});

test("/anilist finds anime by a part of a title, the most similar first", async () => {
  const { body } = await get("/anilist?q=alpha%20show");
  const [best] = TraceMoeAnime.parse(body);
  expect(best).toMatchObject({
    ...{ id: null, title: "Alpha Show", similarity: 1 },
    anilist: { title: { romaji: "Alpha Show" } },
  });
  expect((await get("/anilist?q=zzz")).body).toEqual([]);
  expect(await get("/anilist")).toMatchObject({ status: 400 });
  expect(await get("/anilist?q=%20")).toMatchObject({
    ...{ status: 400, body: { error: "Search query cannot be empty" } },
  });
});

test("titles are compared as pg_trgm does", () => {
  // The second pair is in the documentation of pg_trgm.
  expect(titleSimilarity("Cowboy Bebop", "cowboy")).toBeCloseTo(7 / 13, 5);
  expect(titleSimilarity("word", "two words")).toBeCloseTo(0.363636, 5);
  expect(titleSimilarity("カウボーイ", "カウボーイ")).toBe(1);
  expect(titleSimilarity("", "")).toBe(0);
});

test("/status has the size of the library, and files of an anime where the library is public", async () => {
  const { body } = await get("/status");
  expect(TraceMoeStatus.parse(body)).toEqual(body);
  expect(body).toMatchObject({ mediaCount: expect.any(Number), memory: 0, updated: expect.any(String) });
  const { database } = library;
  const [alpha] = await database.anime.search({ query: "Alpha Show", limit: 1 });
  await library.query(`UPDATE "Anime" SET "anilistId" = 4711 WHERE "id" = $1`, [alpha?.id]);
  try {
    const files = await get("/status?id=4711");
    expect(TraceMoeFiles.parse(files.body)[0]?.path).toMatch(/^4711\/[^/]+\.(mkv|mp4)$/);
  } finally {
    await library.query(`UPDATE "Anime" SET "anilistId" = NULL WHERE "id" = $1`, [alpha?.id]);
  }
  expect((await get("/status?id=999999")).body).toEqual([]);
  expect(await get("/status?id=x")).toMatchObject({ status: 400 });
});

describe("/stats", () => {
  test("has numbers over time where the library is public", async () => {
    expect((await search(api, { "x-forwarded-for": nextGuest() })).status).toBe(200);
    const traffic = await get("/stats?type=traffic&period=hour");
    expect(TraceMoeTraffic.parse(traffic.body).at(-1)?.total).toBeGreaterThan(0);
    const speed = TraceMoePercentiles.parse((await get("/stats?type=speed&period=day")).body).at(-1);
    expect(Number(speed?.p100)).toBeGreaterThanOrEqual(Number(speed?.p0));
    // Other tests of this process search at other times, without the scene.
    const accuracy = TraceMoePercentiles.parse((await get("/stats?type=accuracy&period=day")).body);
    const best = Math.max(...accuracy.map(({ p100 }) => Number(p100)));
    expect(best).toBeGreaterThan(0.9);
    expect(best).toBeLessThanOrEqual(1);
    expect(await get("/stats?type=traffic")).toEqual({ status: 400, body: { error: "Invalid period" } });
    expect(await get("/stats?period=day")).toEqual({ status: 400, body: { error: "Invalid type" } });
  });

  test("and the names of files are 403 where it is not", async () => {
    const at = await library.openApi();
    for (const path of ["/stats?type=speed&period=day", "/status?id=1"])
      expect(await get(path, { at })).toEqual({ status: 403, body: { error: "Forbidden" } });
    expect((await get("/status", { at })).status).toBe(200);
  });
});

test("a clip has the range of trace.moe", () => {
  const scene = [10, 60, 30, 1440];
  expect(chooseRange(scene, {})).toEqual({ fromSeconds: 25, toSeconds: 35 });
  expect(chooseRange(scene, { maxDuration: "2" })).toEqual({ fromSeconds: 28, toSeconds: 32 });
  expect(chooseRange(scene, { maxDuration: "100" })).toEqual({ fromSeconds: 25, toSeconds: 35 });
  const short = [29.9, 30.1, 30, 30.4];
  expect(chooseRange(short, {})).toEqual({ fromSeconds: 29.5, toSeconds: 30.4 });
  expect(chooseRange(short, { minDuration: "9" })).toEqual({ fromSeconds: 28, toSeconds: 30.4 });
  expect(chooseRange([0, 1, 0.2, 100], { minDuration: "x" })).toEqual({ fromSeconds: 0, toSeconds: 1 });
});
