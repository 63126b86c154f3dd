import type { AnimeMetadata } from "@koma/database";
import { expect, it } from "vitest";
import { generateFile, publishEpisode } from "./make-episode.ts";
import { openTestDatabase } from "./open-test-database.ts";

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

const { database, connectAgain } = await openTestDatabase();
const other = await connectAgain();

async function addEpisode(animeId: string, isPublished: boolean) {
  const naming = { animeId, season: null, number: "1", title: null };
  const episode = await database.episodes.upsertPending({ ...generateFile(), ...naming });
  if (isPublished) await publishEpisode(database, episode.id);
  return episode;
}

it("creates one anime for concurrent requests with the same key", async () => {
  const requested = Array.from({ length: 12 }, (_, index) =>
    (index % 2 === 0 ? database : other).anime.findOrCreate({ key: "race", title: "Race" }),
  );
  const ids = new Set((await Promise.all(requested)).map(({ id }) => id));
  expect(ids.size).toBe(1);
});

it("creates one anime for concurrent requests with one AniList id and different keys", async () => {
  const requested = Array.from({ length: 12 }, (_, index) =>
    (index % 2 === 0 ? database : other).anime.findOrCreate({ key: `race ${index}`, anilistId: 7 }),
  );
  const ids = new Set((await Promise.all(requested)).map(({ id }) => id));
  expect(ids.size).toBe(1);
});

it("merges several anime that receive the same AniList id concurrently", async () => {
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
  const first = await database.anime.findOrCreate({ key: "anilist:99", anilistId: 99, title: "Known" });
  const second = await database.anime.findOrCreate({ key: "known", anilistId: 99, title: "Other" });
  expect(second.id).toBe(first.id);
  expect((await database.anime.findByKey("known"))?.titleRomaji).toBe("Known");
  expect(await database.anime.findByKey("unknown")).toBeUndefined();
});

it("finds searchable anime by any title, folds case and width, and returns the best first", async () => {
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
  expect((await database.anime.search({ query: "葬送", limit: 5 })).map(({ id }) => id)).toEqual([first.id]);
  expect(await database.episodes.list({ animeId: first.id })).toHaveLength(2);
  expect(await database.anime.applyMetadata("unknown", frieren)).toBeUndefined();
});

it("merges two anime for an operator: repeated and concurrent merges move everything once", async () => {
  const wrong = await database.anime.findOrCreate({ key: "merge wrong", title: "Merge Wrong" });
  const right = await database.anime.findOrCreate({ key: "merge right", title: "Merge Right" });
  await database.anime.applyMetadata(wrong.id, { ...frieren, anilistId: 777 });
  const [first, second] = [await addEpisode(wrong.id, true), await addEpisode(right.id, true)];
  const audit = { actor: "user:1", action: "anime.merge", target: `anime:${wrong.id}` };
  const merged = await Promise.all(
    [database, other, database, other].map((one) => one.anime.merge(wrong.id, right.id, audit)),
  );
  expect(merged.map((anime) => anime?.id)).toEqual([right.id, right.id, right.id, right.id]);
  const { items } = await database.audit.list({ page: 1, pageSize: 100 });
  expect(items.filter(({ target }) => target === audit.target)).toHaveLength(1);
  const moved = await database.episodes.list({ animeId: right.id });
  expect(moved.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
  expect((await database.anime.findByKey("merge wrong"))?.id).toBe(right.id);
  // The metadata of the merged anime moves to one that has none, and files can name its AniList id.
  expect(merged[0]).toMatchObject({ anilistId: 777, titleRomaji: frieren.titleRomaji });
  const named = await database.anime.findOrCreate({ key: "anilist:777", anilistId: 777 });
  expect(named.id).toBe(right.id);
  expect(await database.anime.merge("unknown", right.id)).toBeUndefined();
  expect(await database.anime.merge(right.id, "unknown")).toBeUndefined();
});

it("assigns an episode to the remaining anime when its anime was merged before it is stored", async () => {
  const wrong = await database.anime.findOrCreate({ key: "late wrong", title: "Late Wrong" });
  const right = await database.anime.findOrCreate({ key: "late right", title: "Late Right" });
  await database.anime.merge(wrong.id, right.id);
  expect((await addEpisode(wrong.id, false)).animeId).toBe(right.id);
});

it("opposite merges of two anime keep one of them with all episodes", async () => {
  for (let round = 0; round < 5; round += 1) {
    const one = await database.anime.findOrCreate({ key: `one ${round}`, title: "One" });
    const two = await database.anime.findOrCreate({ key: `two ${round}`, title: "Two" });
    const episodes = [await addEpisode(one.id, false), await addEpisode(two.id, false)];
    const results = await Promise.all([
      database.anime.merge(one.id, two.id),
      other.anime.merge(two.id, one.id),
    ]);
    expect(new Set(results.map((anime) => anime?.id)).size).toBe(1);
    const remaining = await database.episodes.list({ animeId: results[0]?.id ?? "" });
    expect(remaining.map(({ id }) => id).sort()).toEqual(episodes.map(({ id }) => id).sort());
  }
});

it("keeps the fields that an operator edited when metadata is applied", async () => {
  const { id } = await database.anime.findOrCreate({ key: "edited", title: "Edited" });
  await addEpisode(id, true);
  const edit = { titleRomaji: "Right Title", titleEnglish: null, titleNative: null, isAdult: true };
  expect(await database.anime.edit(id, edit)).toMatchObject(edit);
  const applied = await database.anime.applyMetadata(id, { ...frieren, anilistId: 888 });
  expect(applied).toMatchObject({ ...frieren, anilistId: 888, titleRomaji: "Right Title", isAdult: true });
  expect((await database.anime.search({ query: "right title", limit: 5 })).map((one) => one.id)).toEqual([
    id,
  ]);
  expect(await database.anime.edit("unknown", edit)).toBeUndefined();
});

it("replaces the AniList id by which files and metadata find an anime, unless another one has it", async () => {
  const { id } = await database.anime.findOrCreate({ key: "wrong id", anilistId: 501, title: "Wrong id" });
  await database.anime.applyMetadata(id, { ...frieren, anilistId: 501 });
  await database.anime.findOrCreate({ key: "anilist:501", anilistId: 501 });
  const edit = { titleRomaji: "Wrong id", titleEnglish: null, titleNative: null, isAdult: false };
  expect(await database.anime.edit(id, { ...edit, anilistId: 502 })).toMatchObject({
    anilistId: 502,
    malId: null,
    metadataAt: null,
  });
  expect((await database.anime.findByKey("anilist:502"))?.id).toBe(id);
  expect(await database.anime.findByKey("anilist:501")).toBeUndefined();
  expect(await database.anime.edit(id, edit)).toMatchObject({ anilistId: 502 });
  const other = await database.anime.findOrCreate({ key: "other id", anilistId: 503, title: "Other id" });
  await expect(database.anime.edit(id, { ...edit, anilistId: 503 })).rejects.toMatchObject({
    name: "AnilistIdTakenError",
    message: expect.stringContaining("Other id"),
  });
  expect(await database.anime.edit(other.id, { ...edit, anilistId: null })).toMatchObject({
    anilistId: null,
  });
  expect(await database.anime.edit(id, { ...edit, anilistId: 503 })).toMatchObject({ anilistId: 503 });
});

it("keeps the edits of both anime when metadata merges them, and those of the remaining one win", async () => {
  const twin = await database.anime.findOrCreate({ key: "twin", anilistId: 889, title: "Twin" });
  const { id } = await database.anime.findOrCreate({ key: "twin edited", title: "Twin Edited" });
  const titles = { titleRomaji: "Twin", titleEnglish: "Own English", titleNative: null };
  await database.anime.edit(twin.id, { ...titles, isAdult: false });
  await database.anime.edit(id, {
    titleRomaji: "Twin Edited",
    titleEnglish: "Other English",
    titleNative: "Other Native",
    isAdult: true,
  });
  const metadata = { ...frieren, anilistId: 889 };
  const remaining = {
    id: twin.id,
    titleEnglish: "Own English",
    titleNative: "Other Native",
    isAdult: true,
  };
  expect(await database.anime.applyMetadata(id, metadata)).toMatchObject({
    ...remaining,
    titleRomaji: frieren.titleRomaji,
  });
  expect(await database.anime.applyMetadata(twin.id, metadata)).toMatchObject(remaining);
});

it("keeps the adult flag of a merged anime unless an operator edited that of the remaining one", async () => {
  const add = async (name: string, anilistId: number, isAdult: boolean) => {
    const { id } = await database.anime.findOrCreate({ key: name, title: name });
    await database.anime.applyMetadata(id, { ...frieren, anilistId, isAdult });
    return id;
  };
  const into = await add("into", 890, false);
  expect(await database.anime.merge(await add("adult", 891, true), into)).toMatchObject({ isAdult: true });
  const metadata = { ...frieren, anilistId: 890 };
  expect(await database.anime.applyMetadata(into, metadata)).toMatchObject({ isAdult: true });

  const edited = await add("edited into", 892, true);
  const { titleRomaji, titleEnglish, titleNative } = frieren;
  await database.anime.edit(edited, { titleRomaji, titleEnglish, titleNative, isAdult: false });
  expect(await database.anime.merge(await add("adult too", 893, true), edited)).toMatchObject({
    isAdult: false,
  });
});

it("keeps the naming that an operator edited until the user names the episode", async () => {
  const { id: animeId } = await database.anime.findOrCreate({ key: "named", title: "Named" });
  const file = { ...generateFile(), animeId, season: null, number: "1", title: null };
  const { id } = await database.episodes.upsertPending(file);
  const edit = { season: 2, number: "OVA 3", title: "Right" };
  expect(await database.episodes.edit(id, edit)).toMatchObject(edit);
  expect(await database.episodes.upsertPending(file)).toMatchObject({ id, ...edit });
  expect(await database.episodes.upsertPending({ ...file, isExplicit: true })).toMatchObject({
    id,
    number: "1",
  });
  expect(await database.episodes.edit("unknown", edit)).toBeUndefined();
});

it("assigns episodes that no operator edited to the remaining anime of a merged one", async () => {
  const [from, merged, to] = await Promise.all(
    ["from", "merged", "to"].map((key) => database.anime.findOrCreate({ key: `reassign ${key}` })),
  );
  if (from === undefined || merged === undefined || to === undefined) throw new Error("Anime are missing.");
  const [edited, plain] = [await addEpisode(from.id, false), await addEpisode(from.id, false)];
  await database.episodes.edit(edited.id, { season: 2, number: "1", title: null });
  await database.anime.merge(merged.id, to.id);
  await database.episodes.reassign([edited.id, plain.id], { animeId: merged.id, season: null });
  expect(await database.episodes.find(edited.id)).toMatchObject({ animeId: from.id, season: 2 });
  expect(await database.episodes.find(plain.id)).toMatchObject({ animeId: to.id, season: null });
});
