import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readMediaInfo } from "../../src/file-name/read-nfo.ts";
import { readIdTags, withoutIdTags } from "../../src/file-name/series-ids.ts";
import { createVideoNaming } from "../../src/indexing/video-naming.ts";
import { openTestLibrary } from "../fixtures/open-test-library.ts";

const opened = await openTestLibrary();
afterAll(() => opened.close());

async function write(path: string, text: string): Promise<string> {
  const file = join(opened.videosDir, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const inVideos = (path: string) => join(opened.videosDir, path);
const resolve = (path: string) => createVideoNaming(opened.database, {}).resolve(inVideos(path));

describe("id tags in paths", () => {
  test.each([
    ["/v/Cowboy Bebop [anidb-23]/01.mkv", { anidb: 23 }],
    ["/v/Cowboy Bebop {tvdb-76885}/Season 01/S01E01.mkv", { tvdb: 76_885 }],
    ["/v/Cowboy Bebop (1998) [tvdbid-76885]/Season 1/01.mkv", { tvdb: 76_885 }],
    ["/v/Cowboy Bebop [anilistid=1] [AniDB-23]/01.mkv", { anilist: 1, anidb: 23 }],
    ["/v/Show [anidb-1]/Show [anidb-2] - 01.mkv", { anidb: 2 }],
    ["/v/Show [anidb-0] [tmdb-5] [Group]/01.mkv", {}],
  ])("are read from %s", (path, ids) => {
    expect(readIdTags(path)).toEqual(ids);
  });

  test("are removed from the title by withoutIdTags", () => {
    expect(withoutIdTags("/v/Bebop {tvdb-76885}/S01E01.mkv")).toBe("/v/Bebop/S01E01.mkv");
  });
});

describe("readMediaInfo", () => {
  test("reads the series, the episode and the ids", async () => {
    await write(
      "nfo/Show/tvshow.nfo",
      '<?xml version="1.0"?><tvshow><title>Lantern &amp; Road</title><uniqueid type="tvdb">1</uniqueid>' +
        '<uniqueid type="anidb" default="true">77</uniqueid><anilistid>88</anilistid></tvshow>',
    );
    await write(
      "nfo/Show/Season 2/file.nfo",
      "<episodedetails><title>Dusk</title><showtitle>Other</showtitle><season>2</season><episode>05</episode></episodedetails>",
    );
    expect(await readMediaInfo(inVideos("nfo/Show/Season 2/file.mkv"))).toEqual({
      ids: { tvdb: 1, anidb: 77, anilist: 88 },
      title: "Lantern & Road",
      season: 2,
      number: "5",
      episodeTitle: "Dusk",
    });
  });

  const episode = (fields: string) => `<episodedetails>${fields}</episodedetails>`;
  test.each([
    ["attributes", episode('<title lang="en">One</title><episode a="b">3</episode>'), { number: "3" }],
    ["a byte order mark", `\ufeff<?xml version="1.0"?>${episode("<title>One</title>")}`, {}],
    ["an address after the document", `${episode("<title>One</title>")}\nhttps://example.org/?a=1&b`, {}],
    ["CDATA", episode("<title><![CDATA[One]]></title>"), {}],
    ["character references", episode("<title>&#79;n&#x65;</title>"), {}],
    [
      "several episodes",
      episode("<title>One</title><episode>1</episode>") + episode("<title>Two</title><episode>2</episode>"),
      { number: "1-2" },
    ],
    [
      "Jellyfin's last episode",
      episode("<title>One</title><episode>1</episode><episodenumberend>3</episodenumberend>"),
      { number: "1-3" },
    ],
    [
      "a special",
      episode("<title>One</title><season>0</season><episode>4</episode>"),
      { number: "Special 4" },
    ],
  ])("reads NFO files with %s", async (name, text, numbering) => {
    await write(`nfo/form-${name}/file.nfo`, text);
    expect(await readMediaInfo(inVideos(`nfo/form-${name}/file.mkv`))).toEqual({
      ids: {},
      episodeTitle: "One",
      ...numbering,
    });
  });

  test("reads the NFO file of a movie, and movie.nfo beside any name", async () => {
    await write("nfo/Own Folder/movie.nfo", "<movie><title>Paper</title><anilistid>5</anilistid></movie>");
    expect(await readMediaInfo(inVideos("nfo/Own Folder/Paper 1080p.mkv"))).toMatchObject({
      ids: { anilist: 5 },
      title: "Paper",
    });
    await write(
      "nfo/Movie/movie.nfo",
      '<movie><title>Paper</title><uniqueid type="anidb">9</uniqueid></movie>',
    );
    expect(await readMediaInfo(inVideos("nfo/Movie/movie.mkv"))).toMatchObject({
      ids: { anidb: 9 },
      title: "Paper",
    });
  });

  test("ignores named pipes and folders", async () => {
    await mkdir(inVideos("nfo/pipes/tvshow.nfo"), { recursive: true });
    execFileSync("/usr/bin/env", ["mkfifo", inVideos("nfo/pipes/file.nfo")]);
    expect((await readMediaInfo(inVideos("nfo/pipes/file.mkv"))).ids).toEqual({});
  });

  test.each([
    ["broken", "<tvshow><title>x"],
    ["text", "https://www.themoviedb.org/movie/1"],
    ["empty", ""],
    ["entities", '<!DOCTYPE a [<!ENTITY b "x">]><tvshow><uniqueid type="anidb">-1</uniqueid></tvshow>'],
    ["huge", `<tvshow><title>${"x".repeat(2_000_000)}</title></tvshow>`],
  ])("ignores unusable files: %s", async (name, text) => {
    await write(`nfo/bad-${name}/tvshow.nfo`, text);
    expect((await readMediaInfo(inVideos(`nfo/bad-${name}/01.mkv`))).ids).toEqual({});
  });
});

describe("video naming", () => {
  test("uses one anime per id, and two anime for two ids of one title", async () => {
    const one = await resolve("ids/Twin Show [anidb-501]/Twin Show - 01.mkv");
    const other = await resolve("ids/Twin Show [anidb-502]/Twin Show - 01.mkv");
    const same = await resolve("ids/Another Title [anidb-501]/02.mkv");
    expect(other.animeId).not.toBe(one.animeId);
    expect(same).toMatchObject({ animeId: one.animeId, number: "2" });
    const [anime] = await opened.database.anime.findMany([one.animeId]);
    expect(anime?.titleRomaji).toBe("Twin Show");
  });

  test("prefers and stores an AniList id", async () => {
    const { animeId } = await resolve("ids/Bebop [anilist-901] [tvdb-3]/01.mkv");
    expect((await opened.database.anime.findByAnilistId(901))?.id).toBe(animeId);
    expect(await opened.database.anime.findByAnilistId(902)).toBeUndefined();
  });

  test("uses a folder of digits as AniList id", async () => {
    const { animeId, number } = await resolve("21034/Title - 02.mp4");
    const [anime] = await opened.database.anime.findMany([animeId]);
    expect([anime?.anilistId, anime?.titleRomaji, number]).toEqual([21034, "Title", "2"]);
  });

  test("prefers the options of the user to NFO files", async () => {
    await write("ids/Said/tvshow.nfo", "<tvshow><title>From NFO</title><anidbid>601</anidbid></tvshow>");
    const naming = createVideoNaming(opened.database, { title: "Said", episode: "7" });
    const { animeId, number } = await naming.resolve(inVideos("ids/Said/01.mkv"));
    const [anime] = await opened.database.anime.findMany([animeId]);
    expect([anime?.titleRomaji, number]).toEqual(["Said", "7"]);
  });
});
