import { randomUUID } from "node:crypto";
import { LibraryAnimeList, LibraryEpisodeList, Site } from "@koma/contract";
import { afterEach, expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openTestLibrary, type TestApi } from "./fixtures/open-test-api.ts";
import { makeKey, signUp } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const listAnime = async (api: TestApi, query = "") =>
  LibraryAnimeList.parse((await api.call(`/api/library?${query}`)).body);
const titlesOf = async (api: TestApi, query: string) =>
  (await listAnime(api, query)).items.map(({ anime }) => anime.title.romaji);

afterEach(async () => {
  // Other tests use all videos of the shared library.
  await library.query(`DELETE FROM "Episode" WHERE "contentHash" = "id" OR "number" = 'not indexed'`);
});

/** Creates an anime with indexed episodes of one minute. */
async function makeAnime(title: string, numbers: (string | null)[], isAdult = false): Promise<string> {
  const { anime, episodes } = library.database;
  const created = await anime.findOrCreate({ key: randomUUID(), title });
  for (const number of numbers) {
    const fileName = `${randomUUID()}.mkv`;
    const naming = { animeId: created.id, season: null, number, title: null };
    await episodes.upsertPending({
      path: `/${fileName}`,
      fileName,
      sizeBytes: 1,
      modifiedAtMs: 1,
      ...naming,
    });
  }
  await library.query(
    `UPDATE "Episode" SET "contentHash" = "id", "state" = 'ready', "durationSeconds" = 60, "frameCount" = 300
     WHERE "animeId" = $1 AND "number" IS DISTINCT FROM 'not indexed'`,
    [created.id],
  );
  await library.query(`UPDATE "Anime" SET "isAdult" = $2 WHERE "id" = $1`, [created.id, isAdult]);
  return created.id;
}

test("the library is for administrators only, unless the operator publishes it", async () => {
  const api = await library.openApi();
  const user = await signUp(api);
  const callers = [{}, user.session, (await makeKey(api, user)).headers];
  for (const headers of callers)
    for (const path of ["/api/library", "/api/library/unknown/episodes"])
      expectProblem(await api.call(path, { headers }), "forbidden");
  await api.accounts.users.setAdmin(user.id, true);
  expect((await api.call("/api/library", { headers: user.session })).status).toBe(200);
  expect((await api.call("/api/library", { headers: callers[2] ?? {} })).status).toBe(403);
  const strict = await library.openApi({ KOMA_REQUIRE_2FA: "admins" });
  expect((await strict.call("/api/library", { headers: user.session })).status).toBe(403);
  expect(Site.parse((await api.call("/api/site")).body).isLibraryPublic).toBe(false);

  const published = await library.openApi({ KOMA_PUBLIC_LIBRARY: "true" });
  expect((await published.call("/api/library")).status).toBe(200);
  expect(Site.parse((await published.call("/api/site")).body).isLibraryPublic).toBe(true);
});

test("lists indexed anime by title, in pages", async () => {
  const api = await library.openApi({ KOMA_PUBLIC_LIBRARY: "true" });
  const name = randomUUID();
  await makeAnime(`Beta ${name}`, ["1"]);
  const id = await makeAnime(`alpha ${name}`, ["1", "2", "not indexed"]);
  await makeAnime(`Gamma ${name}`, ["not indexed"]);
  await makeAnime(`Adult ${name}`, ["1"], true);
  expect(await titlesOf(api, `query=${name}`)).toEqual([`alpha ${name}`, `Beta ${name}`]);
  expect(await titlesOf(api, `query=${name}&includeAdult=true`)).toEqual([
    `Adult ${name}`,
    `alpha ${name}`,
    `Beta ${name}`,
  ]);
  expect(await titlesOf(api, `query=ALPHA%20${name}`)).toEqual([`alpha ${name}`]);
  expect(await titlesOf(api, `query=%25${name}`)).toEqual([]);
  const second = await listAnime(api, `query=${name}&pageSize=1&page=2`);
  expect(second).toMatchObject({
    total: 2,
    page: 2,
    items: [{ anime: { title: { romaji: `Beta ${name}` } } }],
  });
  expect(await listAnime(api, `query=${name}&page=1000000000`)).toMatchObject({ total: 2, items: [] });
  const [first] = (await listAnime(api, `query=${name}`)).items;
  expect(first).toMatchObject({ anime: { id }, episodeCount: 2, durationSeconds: 120, frameCount: 600 });
});

test("lists the indexed episodes by number, without names of files", async () => {
  const api = await library.openApi({ KOMA_PUBLIC_LIBRARY: "true" });
  const id = await makeAnime("Numbers", ["10", "2", "OVA 1", null, "13.5", "13", "not indexed"]);
  const list = async (query = "") => (await api.call(`/api/library/${id}/episodes?${query}`)).body;
  const { items, total } = LibraryEpisodeList.parse(await list());
  expect(items.map(({ number }) => number)).toEqual([2, 10, 13, "13.5", "OVA 1", null]);
  expect(total).toBe(6);
  expect(items[0]).toMatchObject({ durationSeconds: 60, frameCount: 300, title: null });
  expect(JSON.stringify(items)).not.toContain(".mkv");
  expect(await list("pageSize=4&page=2")).toMatchObject({ total: 6, items: [{ number: "OVA 1" }, {}] });
  const merged = await makeAnime("Merged Numbers", []);
  await library.database.anime.merge(merged, id);
  expect((await api.call(`/api/library/${merged}/episodes`)).body).toMatchObject({ total: 6 });
});

test("shows the episodes of an anime for adults only on request", async () => {
  const api = await library.openApi({ KOMA_PUBLIC_LIBRARY: "true" });
  const adult = await makeAnime("Adult", ["1"], true);
  const pending = await makeAnime("Pending", ["not indexed"]);
  const statusOf = async (id: string, query = "") =>
    (await api.call(`/api/library/${id}/episodes?${query}`)).status;
  expect(await statusOf(adult)).toBe(404);
  expect(await statusOf(adult, "includeAdult=true")).toBe(200);
  expect(await statusOf(pending)).toBe(404);
  expect(await statusOf("unknown")).toBe(404);
});
