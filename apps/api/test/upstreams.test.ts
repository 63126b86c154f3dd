import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  AuditRecordList,
  MissingSceneList,
  Rankings,
  RecentSearchList,
  SearchResult,
  Site,
  StoredSearch,
  UserSearchList,
} from "@koma/contract";
import { sharp } from "@koma/image";
import { afterEach, expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFake } from "./fixtures/fake-library.ts";
import { nextGuest, openTestLibrary, readImage, type TestClient } from "./fixtures/open-test-api.ts";
import { createAnime } from "./fixtures/test-anime.ts";
import { confirmMatch, signUp, signUpOperator } from "./fixtures/test-users.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A service with trace.moe's API that finds each image in an anime, whose AniList id is `id`. */
async function serveTraceMoe({ id = 99939, status = 200, similarity = 0.95 } = {}) {
  const images: Buffer[] = [];
  const server = createServer((request, response) => {
    const respond = (image: Buffer) => {
      images.push(image);
      const title = { native: "ネコぱらOVA", romaji: "Nekopara OVA", english: null };
      const anilist = { id, idMal: 34658, title, synonyms: [], isAdult: false };
      const scene = { anilist, filename: "1.mp4", episode: 7, from: 97.75, to: 98.92, similarity };
      response.writeHead(status).end(JSON.stringify({ frameCount: 1, error: "", result: [scene] }));
    };
    buffer(request).then(respond, () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, images };
}

let images = 0;

/** An image that no other test has. */
async function createImage(): Promise<Blob> {
  images += 1;
  const width = 320 + images;
  const drawn = sharp({ create: { width, height: 180, channels: 3, background: "#369" } });
  return new Blob([new Uint8Array(await drawn.jpeg().toBuffer())]);
}

async function searchAt(api: TestClient, fields: Parameters<TestClient["search"]>[0], from = nextGuest()) {
  const response = await api.search(fields, { from });
  expect(response.status).toBe(200);
  return SearchResult.parse(response.body);
}

const library = await openTestLibrary();
/** An API without the image of a search, which other services may know. */
async function openAbsent(
  environment: Record<string, string>,
  change: { outcome?: "found" | "uncertain" } = {},
) {
  const fake = await openFake(library.database);
  fake.outcome = change.outcome ?? "not_in_library";
  if (change.outcome !== "found") {
    for (const match of fake.matches) Object.assign(match, { isConfident: false, similarity: 0.02 });
  }
  return { fake, api: await library.openApi(environment, { getSearch: () => fake.library }) };
}

test("another Koma finds what the library does not have, and asks no third service", async () => {
  const third = await serveTraceMoe();
  const other = await library.openApi({
    KOMA_GUEST_SEARCHES_PER_DAY: "1000",
    KOMA_UPSTREAMS: `tracemoe+http://${third.host}`,
  });
  const upstreams = [{ name: new URL(other.url).host, url: other.url }];
  const { api, fake } = await openAbsent({ KOMA_UPSTREAMS: `koma+${other.url}` });
  const image = await readImage("Alpha Show 6.jpg");
  const { id, confirmToken, ...result } = await searchAt(api, { image });
  expect(result).toMatchObject({ outcome: "found", frameCount: 100, quota: { limit: 5, remaining: 4 } });
  const [match, ...others] = result.matches;
  expect(match).toMatchObject({
    rank: 1,
    anime: { title: { romaji: "Alpha Show" } },
    isConfident: true,
    source: upstreams[0],
    previewPaths: null,
  });
  const sources = others.map(({ source }) => source);
  expect(sources.filter((source) => source === null)).toHaveLength(2);
  expect(others.map(({ rank }) => rank)).toEqual(others.map((_, index) => index + 2));
  expect(fake.searches).toBe(1);

  const stored = await api.call(`/api/anime/searches/${id}?confirmToken=${confirmToken}`);
  expect(StoredSearch.parse(stored.body)).toMatchObject({
    outcome: "found",
    matches: [match, ...others.map(() => ({}))],
  });
  const around = await api.call(`/api/anime/searches/${id}/surroundings?rank=1&confirmToken=${confirmToken}`);
  expect(around.body).toEqual({ shots: [], clips: [], occurrences: [] });
  const { session } = await signUp(api);
  await api.search({ image }, { headers: session });
  const history = UserSearchList.parse((await api.call("/api/user/searches", { headers: session })).body);
  expect(history.items).toMatchObject([{ outcome: "found", scene: { anime: match?.anime, imageUrl: null } }]);
  expect(Site.parse((await api.call("/api/site")).body).upstreams).toEqual(upstreams);

  const absent = await searchAt(api, { image: await createImage() });
  expect(absent).toMatchObject({
    outcome: "not_in_library",
    matches: [{ source: null }, { source: null }],
  });
  expect(third.images).toHaveLength(0);
});

test("only images that are not in the library leave it, and none where the caller says so", async () => {
  const service = await serveTraceMoe();
  const KOMA_UPSTREAMS = `tracemoe+http://${service.host}`;
  const { api, fake } = await openAbsent({ KOMA_UPSTREAMS });
  const animeId = fake.matches[0]?.anime.id ?? "";
  for (const fields of [{ upstream: "false" }, { animeId }]) {
    const result = await searchAt(api, { image: await createImage(), ...fields });
    expect(result.outcome).toBe("not_in_library");
  }
  const body = new FormData();
  body.append("image", await createImage());
  const headers = { "x-forwarded-for": nextGuest() };
  const compatible = await api.call("/trace.moe/search", { method: "POST", body, headers });
  expect(compatible.body).toMatchObject({ error: "", result: [{ similarity: expect.any(Number) }, {}] });
  const refused = await api.search({ image: await createImage(), upstream: "no" });
  expectProblem(refused, "invalid_request", { errors: [{ path: "upstream" }] });

  const uncertain = await openAbsent({ KOMA_UPSTREAMS }, { outcome: "uncertain" });
  expect((await searchAt(uncertain.api, { image: await createImage() })).outcome).toBe("uncertain");
  const found = await openAbsent({ KOMA_UPSTREAMS, KOMA_UPSTREAM_UNCERTAIN: "true" }, { outcome: "found" });
  expect((await searchAt(found.api, { image: await createImage() })).outcome).toBe("found");
  expect(service.images).toHaveLength(0);

  const asking = await openAbsent(
    { KOMA_UPSTREAMS, KOMA_UPSTREAM_UNCERTAIN: "true" },
    { outcome: "uncertain" },
  );
  const result = await searchAt(asking.api, { image: await createImage() });
  expect(result).toMatchObject({ outcome: "found", matches: [{ anime: { anilistId: 99939 } }, {}, {}] });
  expect(service.images).toHaveLength(1);
});

test("a caller gets a tenth of the day's requests, also after a restart", async () => {
  const service = await serveTraceMoe();
  const now = () => new Date(Date.UTC(2031, 0, 1, 12));
  const environment = {
    KOMA_UPSTREAMS: `tracemoe+http://${service.host}`,
    KOMA_UPSTREAM_SEARCHES_PER_DAY: "11",
    KOMA_TIME_ZONE: "UTC",
  };
  const { fake } = await openAbsent({});
  const start = () => library.openApi(environment, { now, getSearch: () => fake.library });
  let api = await start();
  const findOutcome = async (from: string) => {
    const { outcome } = await searchAt(api, { image: await createImage() }, from);
    return outcome;
  };
  const guest = nextGuest();
  expect([await findOutcome(guest), await findOutcome(guest)]).toEqual(["found", "found"]);
  api = await start();
  expect(await findOutcome(guest)).toBe("not_in_library");
  // The guests of other networks have the rest.
  const others = Array.from({ length: 10 }, (_, index) => `2001:db8:${(0xd000 + index).toString(16)}::1`);
  const found: string[] = [];
  for (const other of others) found.push(await findOutcome(other));
  expect(found).toEqual([...Array(9).fill("found"), "not_in_library"]);
  expect(service.images).toHaveLength(11);
});

test("operators see what is missing, with the result of another service, for 30 days", async () => {
  const service = await serveTraceMoe();
  const { fake, api } = await openAbsent({ KOMA_UPSTREAMS: `tracemoe+http://${service.host}` });
  const off = await library.openApi({ KOMA_MISSING_DAYS: "0" }, { getSearch: () => fake.library });
  const { get, post } = await signUpOperator(api);
  const list = async (query = "") =>
    MissingSceneList.parse(await get(`/api/operator/missing-scenes${query}`));
  const describeAs = (component: number) => {
    const vector = new Int8Array(128);
    vector[component] = 100;
    fake.descriptor = { modelId: "koma-1", vector };
  };
  const listOf = async (total: number) => {
    await expect.poll(async () => (await list()).total).toBe(total);
    return await list();
  };
  describeAs(0);
  const searchAs = async (component: number, other: object = {}) => {
    describeAs(component);
    await searchAt(api, { image: await createImage(), ...other });
  };
  await searchAt(off, { image: await createImage() });
  await searchAs(0);
  await searchAs(0, { upstream: "false" });
  await searchAs(1, { upstream: "false" });
  await searchAs(2, { animeId: fake.matches[0]?.anime.id ?? "" });
  const { items } = await listOf(2);
  const source = { name: service.host, url: `http://${service.host}` };
  const title = { romaji: "Nekopara OVA", english: null, native: "ネコぱらOVA" };
  const episode = { season: null, number: 7, title: null };
  expect(items).toMatchObject([
    { searches: 2, state: "open", upstream: { title, anilistId: 99939, episode, source } },
    { searches: 1, state: "open", upstream: null },
  ]);

  const path = `/api/operator/missing-scenes/${items[0]?.id}`;
  expect((await post(path, { state: "wanted" })).status).toBe(204);
  expect((await list()).items).toEqual(items.slice(1));
  expect((await list("?state=wanted")).items).toEqual([{ ...items[0], state: "wanted" }]);
  const unknown = await post("/api/operator/missing-scenes/unknown", { state: "open" });
  expectProblem(unknown, "not_found");
  expect(AuditRecordList.parse(await get("/api/operator/audit")).items[0]).toMatchObject({
    action: "missing.mark",
  });

  const { database, query } = library;
  const days = (count: number) => new Date(Date.now() + count * 24 * 60 * 60 * 1000);
  // Other programs do not know the number of days.
  for (const aging of [{ at: days(100) }, { at: days(29), missingDays: 30 }]) {
    await database.collectGarbage(aging);
    expect((await list()).total).toBe(1);
  }
  await query(`INSERT INTO "MissingScene" ("id", "modelId", "descriptor", "searches", "firstAt", "lastAt")
    SELECT 'flood ' || i, 'koma-1', '', 1, now(), now() + interval '1 day' FROM generate_series(1, 10001) i`);
  await database.collectGarbage({ missingDays: 30 });
  expect((await list()).total).toBe(10_000);
  await database.collectGarbage({ at: days(32), missingDays: 30 });
  expect([(await list()).total, (await list("?state=wanted")).total]).toEqual([0, 0]);
  // A deleted scene begins again.
  await searchAs(0, { upstream: "false" });
  expect((await listOf(1)).items).toMatchObject([{ searches: 1, upstream: null }]);
});

test("a result counts for an anime of the library only when it is confirmed, and is not listed", async () => {
  const id = 700_000_000 + (Date.now() % 100_000_000);
  const { database } = library;
  const titles = { anilistId: id, titleEnglish: "Known here" };
  const { id: animeId } = await createAnime(database, "Known", titles);
  const service = await serveTraceMoe({ id });
  const { api } = await openAbsent({ KOMA_UPSTREAMS: `tracemoe+http://${service.host}` });
  const count = async () => {
    const { entries } = Rankings.parse((await api.call("/api/anime/rankings?limit=100")).body);
    return entries.find(({ anime }) => anime.id === animeId)?.searches ?? 0;
  };
  const recent = async () => {
    const list = RecentSearchList.parse((await api.call("/api/anime/recent-searches?limit=100")).body);
    return list.items.map((item) => item.id);
  };
  const result = await searchAt(api, { image: await createImage(), isPublic: "true" });
  expect(result.matches[0]?.anime).toMatchObject({ id: animeId, title: { english: "Known here" } });
  expect(await count()).toBe(0);
  await confirmMatch(api, result);
  expect(await count()).toBe(1);
  expect(await recent()).not.toContain(result.id);
  const shared = await api.call(`/api/anime/searches/${result.id}`);
  expect(shared.body).toMatchObject({ isOwn: false, matches: [{ anime: { id: animeId } }, {}, {}] });
  const path = `/api/anime/searches/${result.id}/confirm?confirmToken=${result.confirmToken}`;
  await api.call(path, { method: "DELETE" });
  expect(await count()).toBe(0);
  expect((await api.call(`/api/anime/searches/${result.id}`)).status).toBe(404);
});
