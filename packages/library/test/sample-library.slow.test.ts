import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { openTestLibrary, type TestLibrary } from "./fixtures/open-test-library.ts";

let opened: TestLibrary;
let clipsFolder: string;

beforeEach(async () => {
  opened = await openTestLibrary({ isEmbedded: true });
  clipsFolder = await mkdtemp(join(tmpdir(), "koma-clips-"));
  await addClip(1, "Paper Boats/Season 1/S01E01.mp4");
  await addClip(2, "Lantern Road/Lantern Road - 01.mp4");
});
afterEach(async () => {
  await opened.close();
  await rm(clipsFolder, { recursive: true, force: true });
});

async function addClip(seed: number, name: string): Promise<void> {
  const file = join(clipsFolder, name);
  await mkdir(join(file, ".."), { recursive: true });
  await copyFile(join(inject("videosDir"), `${seed}.mp4`), file);
}

const sample = (name: string) => join(opened.dataDir, "sample", name);
const listPaths = async () => (await opened.database.episodes.list()).map(({ path }) => path).sort();
const expectedPaths = () =>
  [sample("Lantern Road/Lantern Road - 01.mp4"), sample("Paper Boats/Season 1/S01E01.mp4")].sort();

test("copies the clips into the data folder, indexes them once and removes them", async () => {
  const ensure = () => opened.library.ensureSampleLibrary({ clipsFolder });
  expect(await ensure()).toMatchObject({ files: 2, indexed: 2, failed: 0 });
  expect(await ensure()).toMatchObject({ files: 2, indexed: 0, skipped: 2 });
  expect(await listPaths()).toEqual(expectedPaths());
  await opened.library.remove({ sample: true });
  expect(await listPaths()).toEqual([]);
  await expect(readFile(sample("Paper Boats/Season 1/S01E01.mp4"))).rejects.toThrow("ENOENT");
});

test("keeps the clips of an earlier version and indexes none twice", async () => {
  const name = "Paper Boats/Season 1/S01E01.mp4";
  await mkdir(join(sample(name), ".."), { recursive: true });
  await copyFile(join(inject("videosDir"), "3.mp4"), sample(name));
  await opened.index([join(opened.dataDir, "sample")], { isSample: true });
  const [before] = await opened.database.episodes.list();
  expect(await opened.library.ensureSampleLibrary({ clipsFolder })).toMatchObject({ indexed: 1, skipped: 1 });
  expect(await listPaths()).toEqual(expectedPaths());
  expect((await opened.database.episodes.findByPath(sample(name)))?.id).toBe(before?.id);
  expect(await readFile(sample(name))).toEqual(await readFile(join(inject("videosDir"), "3.mp4")));
});

test("adds no sample clips to a library with videos of its user", async () => {
  await opened.addVideo(4, "Own - 01.mp4");
  await opened.index();
  expect(await opened.library.ensureSampleLibrary({ clipsFolder })).toBeUndefined();
});
