import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseVideoPath } from "../../src/file-name/parse-video-path.ts";

// One name per line, by kind. The columns are kind, path, title, season and number; an empty one is null.
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
  test.each(rows.filter((row) => row[0] === kind))("%s: %s", (_kind, path = "", title, season, number) => {
    const name = parseVideoPath(path);
    expect([name.title, String(name.season ?? ""), name.number ?? ""]).toEqual([title, season, number]);
  });
});
