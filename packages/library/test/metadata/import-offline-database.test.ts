import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MetadataFileError } from "@koma/library";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openTestLibrary } from "../fixtures/open-test-library.ts";
import { indexTestVideos } from "../shared/index-test-videos.ts";

const opened = await openTestLibrary();
beforeEach(async () => {
  const rows = await opened.database.episodes.list();
  await opened.database.episodes.remove(rows.map(({ id }) => id));
});
afterAll(() => opened.close());

// The form of an entry of https://github.com/manami-project/anime-offline-database; titles and ids are
// invented.
function entry(id: number, title: string, more: object = {}) {
  return {
    sources: [
      `https://anidb.net/anime/${id + 7}`,
      `https://anilist.co/anime/${id}`,
      `https://myanimelist.net/anime/${id + 1}`,
    ],
    title,
    type: "TV",
    episodes: 12,
    status: "FINISHED",
    animeSeason: { season: "FALL", year: 2019 },
    image: "https://example.org/cover.jpg",
    thumbnail: "https://example.org/thumbnail.jpg",
    duration: { value: 1440, unit: "SECONDS" },
    synonyms: ["灯りの道", "The Road"],
    studios: [],
    producers: [],
    relatedAnime: [],
    tags: ["adventure"],
    ...more,
  };
}

/**
 * Creates entries with the titles and ids of one test: metadata belongs to its anime, and all tests share a
 * database.
 */
function makeEntries(colour: string, id: number) {
  return [
    entry(id, "Unrelated", { type: "MOVIE" }),
    entry(id + 1, `${colour} Road`),
    entry(id + 2, `${colour} Road 2nd Season`, { synonyms: [], animeSeason: { season: "UNDEFINED" } }),
    entry(id + 3, `${colour} Show`, { tags: ["Hentai"], type: "UNKNOWN", image: "" }),
  ];
}

async function addEpisodes(names: string[]): Promise<void> {
  const { database, videosDir } = opened;
  for (const [at, name] of names.entries()) {
    const [title = "", season, number = null] = name.split("|");
    const anime = await database.anime.findOrCreate({ key: title.toLowerCase(), title });
    const path = join(videosDir, title, `Season ${season}`, `${title} - ${number}.mp4`);
    const file = { path, fileName: `${at}.mp4`, sizeBytes: 1, modifiedAtMs: 1 };
    await database.episodes.upsertPending({
      ...file,
      animeId: anime.id,
      season: Number(season) || null,
      number,
      title: null,
    });
  }
}

async function importText(text: string) {
  const file = join(opened.videosDir, "database.json");
  await writeFile(file, text);
  return await opened.library.importMetadata(file);
}

test("imports metadata and creates an anime for a later season that is listed separately", async () => {
  await addEpisodes(["Red Road||1", "Red Road|2|1", "Red Road|2|2", "Red Show||1", "Nobody Knows||1"]);
  const data = makeEntries("Red", 100);
  const text = JSON.stringify({ license: {}, lastUpdate: "2026-01-01", data });
  expect(await importText(text)).toEqual({ matched: 3, unmatched: ["Nobody Knows"] });
  const entriesByTitle = new Map((await opened.library.list()).map((one) => [one.anime.titleRomaji, one]));
  expect(entriesByTitle.get("Red Road")).toMatchObject({
    anime: {
      ...{ anilistId: 101, malId: 102, titleNative: "灯りの道", synonyms: ["灯りの道", "The Road"] },
      ...{ format: "TV", year: 2019, isAdult: false, coverUrl: "https://example.org/cover.jpg" },
    },
    episodes: [{ season: null, number: "1" }],
  });
  expect(entriesByTitle.get("Red Road 2nd Season")).toMatchObject({
    anime: { anilistId: 102, year: null },
    episodes: [
      { season: null, number: "1" },
      { season: null, number: "2" },
    ],
  });
  const show = { isAdult: true, format: null, coverUrl: null };
  expect(entriesByTitle.get("Red Show")?.anime).toMatchObject(show);

  // A second import changes nothing.
  const before = await opened.library.list();
  expect(await importText(text)).toMatchObject({ matched: 3 });
  expect(withoutMoments(await opened.library.list())).toEqual(withoutMoments(before));
});

test.each<[string, (data: object[]) => string, string, number]>([
  ["indented JSON", (data) => JSON.stringify({ data }, null, 2), "Green", 200],
  [
    "JSON lines",
    (data) => [{ license: {} }, ...data].map((one) => JSON.stringify(one)).join("\n"),
    "Blue",
    300,
  ],
])("reads %s", async (_, write, colour, id) => {
  await addEpisodes([`${colour} Road||1`, `${colour} Show||1`]);
  const text = write(makeEntries(colour, id));
  expect(await importText(text)).toEqual({ matched: 2, unmatched: [] });
});

test("assigns videos that are indexed later to the anime of their season", async () => {
  await addEpisodes(["Grey Road||1", "Grey Road|2|1"]);
  await importText(JSON.stringify({ data: makeEntries("Grey", 400) }));
  const folder = join(opened.videosDir, "Grey Road", "Season 2");
  await indexTestVideos(opened, folder, { "Grey Road - 05.mp4": "small colors" });
  const episode = await opened.database.episodes.findByPath(join(folder, "Grey Road - 05.mp4"));
  expect(await opened.library.findEntry(episode?.id ?? "")).toMatchObject({
    anime: { anilistId: 402 },
    episodes: [{ season: null, number: "5" }],
  });
});

test.each([
  ["another JSON", '{"anime": []}'],
  ["text", "hello"],
  ["nothing", ""],
])("rejects %s", async (_, text) => {
  await expect(importText(text)).rejects.toThrow(MetadataFileError);
});

test("rejects a file that does not exist", async () => {
  await expect(opened.library.importMetadata("/nowhere/database.json")).rejects.toThrow(MetadataFileError);
});

function withoutMoments(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part) => (key === "metadataAt" ? undefined : part)));
}
