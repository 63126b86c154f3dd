import { randomUUID } from "node:crypto";
import type { Database } from "@koma/database";
import { expect, it } from "vitest";
import { describeWithDatabase } from "./describe-with-database.ts";

const titles = { malId: null, titleEnglish: null, titleNative: null, synonyms: [] };
const facts = { ...titles, format: null, year: null, isAdult: false };

async function makeAnime(database: Database, coverUrl: string | null, anilistId: number | null = null) {
  const { id } = await database.anime.findOrCreate({ key: randomUUID(), title: "Covered" });
  await database.anime.applyMetadata(id, { ...facts, titleRomaji: "Covered", anilistId, coverUrl });
  return id;
}

async function versionOf(database: Database, id: string) {
  return (await database.anime.findMany([id]))[0]?.coverVersion;
}

describeWithDatabase("covers", (open) => {
  it("are missing until they are stored from the current address", async () => {
    const { database } = open();
    const id = await makeAnime(database, "https://a.example/1.jpg");
    await makeAnime(database, null);
    const missing = async () => (await database.covers.listMissing()).filter(({ animeId }) => animeId === id);
    const first = { animeId: id, sourceUrl: "https://a.example/1.jpg" };
    expect(await missing()).toEqual([first]);
    expect(await versionOf(database, id)).toBeNull();
    expect(await database.covers.write(first, Uint8Array.of(1, 2))).toBe(true);
    expect(await missing()).toEqual([]);
    const version = (await versionOf(database, id)) ?? "";
    expect([...((await database.covers.read(id, version)) ?? [])]).toEqual([1, 2]);

    await database.anime.applyMetadata(id, {
      ...facts,
      titleRomaji: "Covered",
      anilistId: null,
      coverUrl: "https://a.example/2.jpg",
    });
    expect(await missing()).toEqual([{ animeId: id, sourceUrl: "https://a.example/2.jpg" }]);
    // The earlier cover stays until the new one is stored.
    expect(await database.covers.read(id, version)).toBeDefined();
    expect(await database.covers.write(first, Uint8Array.of(9))).toBe(false);
    await database.covers.write({ animeId: id, sourceUrl: "https://a.example/2.jpg" }, Uint8Array.of(3));
    expect(await database.covers.read(id, version)).toBeUndefined();
    const next = (await versionOf(database, id)) ?? "";
    expect([...((await database.covers.read(id, next)) ?? [])]).toEqual([3]);
  });

  it("are deleted with their anime", async () => {
    const { database } = open();
    const coverUrl = "https://a.example/1.jpg";
    const twin = await makeAnime(database, coverUrl, 987_654);
    const id = await makeAnime(database, coverUrl);
    await database.covers.write({ animeId: id, sourceUrl: coverUrl }, Uint8Array.of(1));
    const version = (await versionOf(database, id)) ?? "";
    await database.anime.applyMetadata(id, {
      ...facts,
      titleRomaji: "Covered",
      anilistId: 987_654,
      coverUrl,
    });
    expect(await database.covers.read(id, version)).toBeUndefined();
    expect(await versionOf(database, twin)).toBeNull();
    expect(await database.covers.write({ animeId: id, sourceUrl: coverUrl }, Uint8Array.of(1))).toBe(false);
  });
});
