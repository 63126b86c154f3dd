import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseUnavailableError, IndexUnavailableError } from "@koma/database";
import { runAsAdmin } from "@koma/database/testing/databases";
import { FfmpegPathError } from "@koma/library";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { explainCommandError } from "../src/explain-error.ts";
import { createServerWorkplace, createWorkplace, expectError, parseLines } from "./koma.ts";

const workplace = await createWorkplace();
afterAll(() => workplace.remove());

test.each([
  [[], 2, /Usage: koma/],
  [["--help"], 0, /Usage: koma/],
  [["help", "index"], 0, /Usage: koma index/],
  [["index", "--help"], 0, /--anilist-id <id>/],
  [["library", "remove", "--help"], 0, /Usage: koma library remove/],
  [["library", "describe", "--help"], 0, /--anime <id\|title>[\s\S]*--jobs <number>/],
  [["--version"], 0, /^\d+\.\d+\.\d+\n$/],
  [["version", "--json"], 0, /"koma":"\d/],
  [["serach"], 2, /Did you mean search/],
  [["search"], 2, /missing required argument 'image'[\s\S]*koma search --help/],
  [["search", "-n", "6", "x.jpg"], 2, /from 1 to 5/],
  [["index", "--jobs", "0", "x"], 2, /whole number from 1/],
  [["index", "--priority", "1", "x"], 2, /--priority needs --queue/],
])("koma %j ends with %i", async (args, code, pattern) => {
  const result = await workplace.koma(...args);
  expect(result.code).toBe(code);
  expect(code === 0 ? result.stdout : result.stderr).toMatch(pattern);
});

test("shows the names of videos without indexing them", async () => {
  const folder = workplace.path("names");
  await mkdir(folder);
  for (const name of ["Hoshi - 01.mkv", "Hoshi - 02.mkv", "Hoshi Trailer.mkv"]) {
    await writeFile(join(folder, name), "");
  }
  const table = await workplace.koma("index", "--dry-run", folder);
  expect(table.code).toBe(0);
  expect(table.stdout.split("\n").map((line) => line.replace(/ {2,}/g, "|"))).toEqual([
    "title|season|episode|to check|file",
    expect.stringMatching(/^─/),
    expect.stringMatching(
      /^Hoshi Trailer\|no number, another title than most of its folder\|.*Hoshi Trailer\.mkv$/,
    ),
    expect.stringMatching(/^Hoshi\|1\|.*Hoshi - 01\.mkv$/),
    expect.stringMatching(/^Hoshi\|2\|.*Hoshi - 02\.mkv$/),
    "",
  ]);
  const json = await workplace.koma("index", "--dry-run", "--json", folder);
  const names = parseLines(json.stdout);
  expect(names.map(({ number, doubts }) => [number, doubts])).toEqual([
    [null, ["without_number", "other_title"]],
    ["1", []],
    ["2", []],
  ]);
});

test("lists every invalid variable of the configuration", async () => {
  expectError(
    await workplace.run(["library", "list"], {
      PORT: "x",
      KOMA_SAMPLE_LIBRARY: "maybe",
    }),
    /^koma: .*\n +PORT .*\n +KOMA_SAMPLE_LIBRARY .*\n$/,
    78,
  );
});

test("ends with 78 where no restart helps, as the API and the bots do", async () => {
  const server = await createServerWorkplace();
  onTestFinished(() => server.remove());
  const newer = "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)";
  await runAsAdmin(server.databaseUrl, `${newer} VALUES ('x', 'x', '20991231000000_future', now())`);
  expectError(await server.koma("prepare"), /^koma: .*20991231000000_future.*: a newer version /, 78);
  const errors = [
    new IndexUnavailableError("x"),
    new FfmpegPathError("x"),
    new DatabaseUnavailableError("x"),
  ];
  expect(errors.map((error) => explainCommandError(error).exitCode)).toEqual([78, 78, 1]);
});
