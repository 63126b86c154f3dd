import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";
import { previewNames } from "../../src/indexing/preview-names.ts";

const folder = await mkdtemp(join(tmpdir(), "koma-names-"));
for (const file of [
  "Hoshi/Hoshi 14 Rain.mkv",
  "Hoshi/Hoshi 15 Tower.mkv",
  "Hoshi/Hoshi 16 Tide.mkv",
  "Kaze/Kaze - 01.mkv",
  "Kaze/Kaze - 02.mkv",
  "Kaze/Kaze - 02v2.mkv",
  "Kaze/Kaze Trailer.mkv",
  "Umi (2016).mkv",
]) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), "");
}
afterAll(() => rm(folder, { recursive: true }));

test("names videos without a database, doubtful ones first", async () => {
  const { names, problems } = await previewNames([folder, join(folder, "missing.mkv")]);
  expect(problems).toMatchObject([{ file: join(folder, "missing.mkv") }]);
  const rows = names.map((name) => [relative(folder, name.file), name.title, name.number, name.doubts]);
  expect(rows).toEqual([
    ["Kaze/Kaze Trailer.mkv", "Kaze Trailer", null, ["without_number", "other_title"]],
    ["Kaze/Kaze - 02.mkv", "Kaze", "2", ["same_number"]],
    ["Kaze/Kaze - 02v2.mkv", "Kaze", "2", ["same_number"]],
    ["Hoshi/Hoshi 14 Rain.mkv", "Hoshi", "14", []],
    ["Hoshi/Hoshi 15 Tower.mkv", "Hoshi", "15", []],
    ["Hoshi/Hoshi 16 Tide.mkv", "Hoshi", "16", []],
    ["Kaze/Kaze - 01.mkv", "Kaze", "1", []],
    ["Umi (2016).mkv", "Umi (2016)", null, []],
  ]);
});

test("options have priority over names", async () => {
  const { names } = await previewNames([join(folder, "Kaze/Kaze - 01.mkv")], { title: "Wind", season: 3 });
  expect(names).toMatchObject([{ title: "Wind", season: 3, number: "1", doubts: [] }]);
});
