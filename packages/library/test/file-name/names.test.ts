import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseVideoPath } from "../../src/file-name/parse-video-path.ts";

// One name per line, by kind. The columns are kind, path, title, season, number and, in some lines, the title of the
// episode; an empty one is null.
const rows = readFileSync(new URL("names.tsv", import.meta.url), "utf8")
  .replace(/\n$/, "")
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"));

test("the table has at least 300 names, each once", () => {
  expect(rows.length).toBeGreaterThanOrEqual(300);
  expect(new Set(rows.map(([, path]) => path)).size).toBe(rows.length);
});

describe.each([...new Set(rows.map(([kind]) => kind))])("%s", (kind) => {
  test.each(rows.filter((row) => row[0] === kind))("%s: %s", (_kind, path = "", ...expected) => {
    const { title, season, number, episodeTitle } = parseVideoPath(path);
    const read = [title, String(season ?? ""), number ?? "", episodeTitle ?? ""];
    expect(read.slice(0, expected.length)).toEqual(expected);
  });
});

test.each([
  ["/x/21034/Title - 01.mkv", "Title", "1", 21034],
  ["/x/anime/21034/[Group] Title - 02 [720p].mp4", "Title", "2", 21034],
  ["/x/21034/03.mp4", "x", "3", 21034],
  ["/x/007/Title - 03.mp4", "Title", "3", null],
  ["/x/86/86 - 03.mkv", "86", "3", null],
] as const)("%s is in a folder that may be an AniList id", (path, title, number, anilistId) => {
  expect(parseVideoPath(path)).toMatchObject({ title, number, anilistId });
});
