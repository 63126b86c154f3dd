import { SearchResult, Surroundings } from "@koma/contract";
import { afterAll, expect, test } from "vitest";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";

const library = await openTestLibrary();
const api = await library.openApi();
// As after `koma library import`.
await library.query(`UPDATE "Episode" SET "packName" = 'shared.koma'`);
afterAll(async () => {
  await library.query(`UPDATE "Episode" SET "packName" = NULL`);
});

test("an episode of a pack is found with its stored still and without clips", async () => {
  const response = await api.search({ image: await readImage("Alpha Show 6.jpg") });
  const { id, confirmToken, matches } = SearchResult.parse(response.body);
  const [match] = matches;
  expect(match).toMatchObject({ videoUrl: null, previewPaths: { clips: null, mutedClips: null } });
  for (const path of [match?.previewPaths?.stills.m, match?.previewPaths?.stills.l]) {
    const still = await api.call(path ?? "");
    expect([still.status, still.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  }
  const query = `?confirmToken=${confirmToken}`;
  const stored = await api.call(`/api/anime/searches/${id}${query}`);
  const videos = (stored.body as Pick<SearchResult, "matches">).matches.map(({ videoUrl }) => videoUrl);
  expect(new Set(videos)).toEqual(new Set([null]));
  const around = await api.call(`/api/anime/searches/${id}/surroundings${query}`);
  const { clips, shots } = Surroundings.parse(around.body);
  expect(clips).toEqual([]);
  expect(shots.length).toBeGreaterThan(0);
});

test("the clip of an episode of a pack is 404 behind trace.moe's address", async () => {
  const body = await readImage("Alpha Show 6.jpg");
  const headers = { "x-forwarded-for": nextGuest() };
  const found = await fetch(`${api.url}/trace.moe/search`, { method: "POST", body, headers });
  const [best] = ((await found.json()) as { result: { video: string; image: string }[] }).result;
  const [still, clip] = await Promise.all([fetch(best?.image ?? ""), fetch(best?.video ?? "")]);
  expect([still.status, clip.status, await clip.text()]).toEqual([200, 404, "Not found"]);
});
