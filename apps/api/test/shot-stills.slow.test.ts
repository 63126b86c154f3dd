import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PreviewPaths, SearchResult, Surroundings } from "@koma/contract";
import { afterEach, expect, it } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openTestLibrary, readImage, type TestClient, type TestLibrary } from "./fixtures/open-test-api.ts";
import { postJson } from "./fixtures/test-users.ts";
import { compareImages } from "./fixtures/videos.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Opens an API with an empty cache of previews. */
async function openFresh({ library, openApi }: TestLibrary) {
  const cacheDir = await mkdtemp(join(tmpdir(), "koma-cache-"));
  folders.push(cacheDir);
  const previews = library.openPreviews({ cacheDir });
  return { previews, api: await openApi({}, { previews }) };
}

/** The episode of a match and the addresses of its stills. */
async function search(api: TestClient) {
  const { body } = await api.search({ image: await readImage("Alpha Show 6.jpg") });
  const [best] = SearchResult.parse(body).matches;
  if (best?.imageUrl == null) throw new Error("There are no previews.");
  const [, , , episodeId = ""] = best.imageUrl.replace(api.url, "").split("/");
  const { stills } = best.previewPaths as PreviewPaths;
  return { episodeId, stills, imagePath: best.imageUrl.replace(api.url, "") };
}

async function get(api: TestClient, path: string) {
  const { status, headers, bytes } = await api.call(path);
  return { status, type: headers.get("content-type"), cache: headers.get("cache-control"), bytes };
}

const library = await openTestLibrary();
/** Removes or damages the stored stills of an episode. */
async function spoil(episodeId: string, how: "lost" | "damaged"): Promise<void> {
  const spoiled = how === "lost" ? "DELETE FROM" : "UPDATE";
  const set = how === "lost" ? "" : `SET "bytes" = '\\x00'::bytea || substring("bytes" FROM 2)`;
  await library.query(`${spoiled} "StillSet" ${set} WHERE "episodeId" = $1`, [episodeId]);
}

it("stills of shots are served at once and not cached in place of the exact still", async () => {
  const { api, previews } = await openFresh(library);
  const { stills, imagePath } = await search(api);
  const quick = await get(api, `${stills.m}&quick=true`);
  expect(quick).toMatchObject({ status: 200, type: "image/jpeg", cache: "no-store" });
  expect(previews.status().cache.misses).toBe(0);
  const exact = await get(api, stills.m);
  expect(exact).toMatchObject({ status: 200, cache: expect.stringContaining("immutable") });
  expect(exact.bytes.equals(quick.bytes)).toBe(false);
  expect(await compareImages(quick.bytes, exact.bytes)).toBeLessThan(25);
  // The exact still is in the cache now.
  const again = await get(api, `${stills.m}&quick=true`);
  expect(again.cache).toContain("immutable");
  expect(again.bytes.equals(exact.bytes)).toBe(true);
  expect((await get(api, `${imagePath}?quick=true`)).status).toBe(200);
  await previews.close();
});

it("stills of shots surround a match, with clips of other lengths that cannot be extended", async () => {
  const { api, previews } = await openFresh(library);
  const { body } = await api.search({ image: await readImage("Alpha Show 6.jpg") });
  const { id, confirmToken, matches } = SearchResult.parse(body);
  const [best] = matches;
  if (best === undefined) throw new Error("There is no match.");
  const path = `/api/anime/searches/${id}/surroundings`;
  const episodeId = best.imageUrl?.replace(api.url, "").split("/")[3];
  const other = { episode: { id: episodeId, season: null, number: "9", title: null }, from: 1, to: 2 };
  await library.query(
    `UPDATE "Search" SET "matches" = jsonb_set("matches", '{0,otherOccurrences}', $2::jsonb) WHERE "id" = $1`,
    [id, JSON.stringify([other])],
  );
  const response = await api.call(`${path}?confirmToken=${confirmToken}`);
  const { shots, clips, occurrences } = Surroundings.parse(response.body);
  expect(occurrences).toMatchObject([{ episode: { season: null, number: 9 }, from: 1, to: 2 }]);
  const [occurrence] = occurrences;
  expect(await get(api, `${occurrence?.stillPath}&quick=true`)).toMatchObject({ status: 200 });
  expect(shots.filter(({ from, to }) => from <= best.timestamp && best.timestamp <= to)).toHaveLength(1);
  expect(shots.map(({ from }) => from)).toEqual(shots.map(({ from }) => from).toSorted((a, b) => a - b));
  for (const { stillPath } of shots) {
    expect(await get(api, `${stillPath}&quick=true`)).toMatchObject({ status: 200, cache: "no-store" });
  }
  for (const [index, length] of [5, 15, 30].entries()) {
    const clip = clips[index];
    if (clip === undefined) throw new Error("There is no clip.");
    expect(clip.from).toBeGreaterThanOrEqual(0);
    expect(clip.to).toBeLessThanOrEqual(best.duration);
    expect(clip.to - clip.from).toBeCloseTo(Math.min(length, best.duration), 3);
    expect([clip.from <= best.timestamp, best.timestamp <= clip.to]).toEqual([true, true]);
  }
  const [shortest] = clips;
  expect(await get(api, shortest?.mutedPath ?? "")).toMatchObject({ status: 200, type: "video/mp4" });
  const longer = shortest?.path.replace(/-\d+\.mp4/, "-29000.mp4") ?? "";
  expect((await get(api, longer)).status).toBe(403);

  for (const [query, status] of [
    ["", 404],
    ["?confirmToken=other", 404],
    [`?confirmToken=${confirmToken}&rank=0`, 400],
  ] as const) {
    expect((await api.call(`${path}${query}`)).status).toBe(status);
  }
  await postJson(api, `/api/anime/searches/${id}/confirm`, { rank: 1, confirmToken });
  expect((await api.call(path)).status).toBe(200);
  await previews.close();
});

it("stills of shots do not change the signed part of an address", async () => {
  const { api, previews } = await openFresh(library);
  const { stills } = await search(api);
  expect((await get(api, `${stills.s.replace("size=s", "size=l")}&quick=true`)).status).toBe(403);
  expectProblem(await api.call(`${stills.m}&quick=maybe`), "invalid_request");
  expect((await get(api, `${stills.m}&quick=false`)).cache).toContain("immutable");
  await previews.close();
});

it.each(["lost", "damaged"] as const)(
  "the exact stills replace those of shots where they are %s, until they are created again",
  async (how) => {
    const { api, previews } = await openFresh(library);
    const { episodeId, stills } = await search(api);
    await spoil(episodeId, how);
    const response = await get(api, `${stills.s}&quick=true`);
    expect(response).toMatchObject({ status: 200, cache: expect.stringContaining("immutable") });
    await previews.backFillStills();
    const repaired = await openFresh(library);
    expect((await get(repaired.api, `${stills.s}&quick=true`)).cache).toBe("no-store");
    await previews.close();
    await repaired.previews.close();
  },
);
