import type { AnimeMetadata } from "@koma/database";
import { expect, it } from "vitest";
import { describeOnBoth } from "./describe-on-both.ts";
import { generateFile, publishEpisode } from "./make-episode.ts";

const frieren: AnimeMetadata = {
  anilistId: 154587,
  malId: 52991,
  titleRomaji: "Sousou no Frieren",
  titleEnglish: "Frieren: Beyond Journey’s End",
  titleNative: "葬送のフリーレン",
  synonyms: ["Frieren the Slayer"],
  format: "TV",
  year: 2023,
  isAdult: false,
  coverUrl: "https://example.org/cover.jpg",
};

describeOnBoth("anime store", (open) => {
  async function addEpisode(animeId: string, isPublished: boolean) {
    const { database } = open();
    const naming = { animeId, season: null, number: "1", title: null };
    const episode = await database.episodes.upsertPending({ ...generateFile(), ...naming });
    if (isPublished) await publishEpisode(database, episode.id);
    return episode;
  }

  it("creates one anime for concurrent requests with the same key", async () => {
    const { database, connectAgain } = open();
    const other = await connectAgain();
    const requested = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? database : other).anime.findOrCreate({ key: "race", title: "Race" }),
    );
    const ids = new Set((await Promise.all(requested)).map(({ id }) => id));
    expect(ids.size).toBe(1);
  });

  it("creates one anime for concurrent requests with one AniList id and different keys", async () => {
    const { database, connectAgain } = open();
    const other = await connectAgain();
    const requested = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? database : other).anime.findOrCreate({ key: `race ${index}`, anilistId: 7 }),
    );
    const ids = new Set((await Promise.all(requested)).map(({ id }) => id));
    expect(ids.size).toBe(1);
  });

  it("merges several anime that receive the same AniList id concurrently", async () => {
    const { database, connectAgain } = open();
    const other = await connectAgain();
    const keys = Array.from({ length: 6 }, (_, index) => `same ${index}`);
    const anime = await Promise.all(keys.map((key) => database.anime.findOrCreate({ key })));
    const metadata = { ...frieren, anilistId: 8 };
    await Promise.all(
      anime.map(({ id }, index) => (index % 2 === 0 ? database : other).anime.applyMetadata(id, metadata)),
    );
    const owners = await Promise.all(keys.map((key) => database.anime.findByKey(key)));
    expect(new Set(owners.map((owner) => owner?.id)).size).toBe(1);
  });

  it("finds an anime by its AniList id with another key", async () => {
    const { database } = open();
    const first = await database.anime.findOrCreate({ key: "anilist:99", anilistId: 99, title: "Known" });
    const second = await database.anime.findOrCreate({ key: "known", anilistId: 99, title: "Other" });
    expect(second.id).toBe(first.id);
    expect((await database.anime.findByKey("known"))?.titleRomaji).toBe("Known");
    expect(await database.anime.findByKey("unknown")).toBeUndefined();
  });

  it("finds searchable anime by any title, folds case and width, and returns the best first", async () => {
    const { database } = open();
    const exact = await database.anime.findOrCreate({ key: "s1", title: "Ｚｅｔａ" });
    const start = await database.anime.findOrCreate({ key: "s2", title: "Zeta Gundam" });
    const inside = await database.anime.findOrCreate({ key: "s3", title: "Mobile Suit Zeta" });
    const unpublished = await database.anime.findOrCreate({ key: "s4", title: "Zeta Unpublished" });
    for (const { id } of [inside, start, exact]) await addEpisode(id, true);
    await addEpisode(unpublished.id, false);
    const search = async (query: string, limit = 10) =>
      (await database.anime.search({ query, limit })).map(({ id }) => id);
    expect(await search(" zETA")).toEqual([exact.id, start.id, inside.id]);
    expect(await search("zeta", 1)).toEqual([exact.id]);
    expect(await search("%")).toEqual([]);
    expect(await search("_eta")).toEqual([]);
  });

  it("applies metadata and merges two anime with the same id", async () => {
    const { database } = open();
    const first = await database.anime.findOrCreate({ key: "frieren", title: "Frieren" });
    const second = await database.anime.findOrCreate({ key: "sousou", title: "Sousou no Frieren" });
    await addEpisode(first.id, true);
    const moved = await addEpisode(second.id, true);
    const applied = await database.anime.applyMetadata(first.id, frieren);
    expect(applied).toMatchObject({ ...frieren, id: first.id, isSample: false });
    expect((await database.anime.applyMetadata(second.id, frieren))?.id).toBe(first.id);
    expect((await database.episodes.findMany([moved.id]))[0]?.anime.id).toBe(first.id);
    expect((await database.anime.findOrCreate({ key: "sousou", title: "x" })).id).toBe(first.id);
    expect(await database.anime.findMany([second.id])).toEqual([]);
    expect((await database.anime.search({ query: "葬送", limit: 5 })).map(({ id }) => id)).toEqual([
      first.id,
    ]);
    expect(await database.episodes.list({ animeId: first.id })).toHaveLength(2);
    expect(await database.anime.applyMetadata("unknown", frieren)).toBeUndefined();
  });
});
