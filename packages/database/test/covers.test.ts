import { expect, it } from "vitest";
import { generateMetadata, makeAnime } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database } = await openTestDatabase();

async function makeCovered(coverUrl: string | null, anilistId: number | null = null) {
  const id = await makeAnime(database);
  await database.anime.applyMetadata(id, generateMetadata({ anilistId, coverUrl }));
  return id;
}

async function versionOf(id: string) {
  return (await database.anime.findMany([id]))[0]?.coverVersion;
}

it("are missing until they are stored from the current address", async () => {
  const id = await makeCovered("https://a.example/1.jpg");
  await makeCovered(null);
  const missing = async () => (await database.covers.listMissing()).filter(({ animeId }) => animeId === id);
  const first = { animeId: id, sourceUrl: "https://a.example/1.jpg" };
  expect(await missing()).toEqual([first]);
  expect(await versionOf(id)).toBeNull();
  expect(await database.covers.write(first, Uint8Array.of(1, 2))).toBe(true);
  expect(await missing()).toEqual([]);
  const version = (await versionOf(id)) ?? "";
  expect([...((await database.covers.read(id, version)) ?? [])]).toEqual([1, 2]);

  await database.anime.applyMetadata(id, generateMetadata({ coverUrl: "https://a.example/2.jpg" }));
  expect(await missing()).toEqual([{ animeId: id, sourceUrl: "https://a.example/2.jpg" }]);
  // The earlier cover stays until the new one is stored.
  expect(await database.covers.read(id, version)).toBeDefined();
  expect(await database.covers.write(first, Uint8Array.of(9))).toBe(false);
  await database.covers.write({ animeId: id, sourceUrl: "https://a.example/2.jpg" }, Uint8Array.of(3));
  expect(await database.covers.read(id, version)).toBeUndefined();
  const next = (await versionOf(id)) ?? "";
  expect([...((await database.covers.read(id, next)) ?? [])]).toEqual([3]);
});

it("are deleted with their anime", async () => {
  const coverUrl = "https://a.example/1.jpg";
  const twin = await makeCovered(coverUrl, 987_654);
  const id = await makeCovered(coverUrl);
  await database.covers.write({ animeId: id, sourceUrl: coverUrl }, Uint8Array.of(1));
  const version = (await versionOf(id)) ?? "";
  await database.anime.applyMetadata(id, generateMetadata({ anilistId: 987_654, coverUrl }));
  expect(await database.covers.read(id, version)).toBeUndefined();
  expect(await versionOf(twin)).toBeNull();
  expect(await database.covers.write({ animeId: id, sourceUrl: coverUrl }, Uint8Array.of(1))).toBe(false);
});
