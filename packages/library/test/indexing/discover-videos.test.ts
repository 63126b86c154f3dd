import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { discoverVideos } from "../../src/indexing/discover-videos.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "koma-discover-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("counts the files that are no videos by their names, except hidden ones", async () => {
  await mkdir(join(folder, "Show"));
  const names = ["1.mkv", "1.srt", "2.SRT", "2.mkv.part", "README", ".hidden"];
  for (const name of names) await writeFile(join(folder, "Show", name), "");
  const { videos, ignored } = await discoverVideos([folder]);
  expect(videos.map(({ path }) => path)).toEqual([join(folder, "Show", "1.mkv")]);
  expect(ignored).toEqual([
    { extension: ".srt", files: 2 },
    { extension: "", files: 1 },
    { extension: ".part", files: 1 },
  ]);
});

test.skipIf(process.platform === "darwin")("says what to do about a name that is not in UTF-8", async () => {
  const name = Buffer.concat([Buffer.from(`${folder}/Pok`), Buffer.from([0xe9]), Buffer.from("mon.mkv")]);
  await writeFile(name, "");
  const { videos, problems } = await discoverVideos([folder]);
  expect(videos).toEqual([]);
  expect(problems).toEqual([
    { file: join(folder, "Pok\uFFFDmon.mkv"), problem: expect.stringMatching(/not in UTF-8.*Rename it/) },
  ]);
});

test("leaves out the videos that are postponed", async () => {
  for (const name of ["1.mkv", "2.mkv"]) await writeFile(join(folder, name), "");
  const { videos } = await discoverVideos([folder], { postpone: async ({ path }) => path.endsWith("1.mkv") });
  expect(videos.map(({ path }) => path)).toEqual([join(folder, "2.mkv")]);
});

test("follows links and visits each folder once", async () => {
  const path = join(folder, "Title", "Title - 01.mp4");
  await mkdir(join(folder, "Title"));
  await writeFile(path, "");
  await symlink(folder, join(folder, "Title", "loop"));
  await symlink(path, join(folder, "Link - 02.mp4"));
  const { videos, problems } = await discoverVideos([folder]);
  expect(videos.map((video) => video.path)).toEqual([join(folder, "Link - 02.mp4"), path]);
  expect(problems).toEqual([]);
});
