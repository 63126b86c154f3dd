import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFrameLists, type FrameLists } from "../../src/nearest-neighbours/frame-lists.ts";
import type { LabelRange } from "../../src/nearest-neighbours/label-ranges.ts";
import { readSnapshot, writeSnapshot } from "../../src/nearest-neighbours/snapshot.ts";
import { createEpisode, createView, dimensions } from "./seeded-vectors.ts";

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-vector-index-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a snapshot of two episodes of 700 and 300 frames; a third one is removed before. */
async function saveSnapshot() {
  const folder = await createFolder();
  const file = path.join(folder, "vectors");
  const lists = createFrameLists(dimensions);
  const removed = await addTo(lists, 9, 500);
  const first = await addTo(lists, 1, 700);
  await addTo(lists, 2, 300);
  await lists.remove(removed);
  await writeSnapshot(file, [lists], "origin");
  return { folder, file, lists, first };
}

async function addTo(lists: FrameLists, seed: number, frames: number): Promise<LabelRange> {
  const range = await lists.add(createEpisode(seed, frames));
  lists.show(range);
  await lists.refine(frames);
  return range;
}

async function read(file: string): Promise<FrameLists> {
  const [lists] = (await readSnapshot(file, dimensions, "origin")) ?? [];
  if (lists === undefined) throw new Error("There is no usable snapshot.");
  return lists;
}

const isUsable = async (file: string, origin = "origin", size = dimensions) =>
  (await readSnapshot(file, size, origin)) !== undefined;

const views = [createView(createEpisode(1, 700), 650), createView(createEpisode(2, 300), 7)];

it("restores the saved lists, which can be changed again", async () => {
  const { file, lists, first } = await saveSnapshot();
  const restored = await read(file);
  expect(restored.search(views, { count: 50 })).toEqual(lists.search(views, { count: 50 }));
  expect(restored.stats().frames).toBe(1000);

  const range = await addTo(restored, 3, 800);
  await restored.remove(first);
  await writeSnapshot(file, [restored], "origin");
  const [found] = (await read(file)).search([createView(createEpisode(3, 800), 799)], { count: 2000 });
  expect(found).toHaveLength(1100);
  expect(found?.[0]?.label).toBe(range.end - 1);
});

it("does not grow over restarts in which episodes are replaced", async () => {
  const { file, first } = await saveSnapshot();
  const sizes: number[] = [];
  let replaced = first;
  for (let round = 0; round < 6; round++) {
    const lists = await read(file);
    const range = await addTo(lists, 1, 700);
    await lists.remove(replaced);
    replaced = range;
    lists.search(views, { count: 200 });
    await writeSnapshot(file, [lists], "origin");
    sizes.push((await readFile(file)).length);
  }
  expect(sizes.at(-1)).toBeLessThan((sizes[1] ?? 0) + 4096);
});

it("rejects a missing file, and a snapshot of another origin or of other dimensions", async () => {
  const { folder, file } = await saveSnapshot();
  expect(await isUsable(path.join(folder, "none"))).toBe(false);
  expect(await isUsable(file, "another origin")).toBe(false);
  expect(await isUsable(file, "origin", 64)).toBe(false);
  expect(await isUsable(file)).toBe(true);
});

it("rejects a snapshot with any corrupt part", async () => {
  const { file } = await saveSnapshot();
  const intact = await readFile(file);
  const offsets = [0, 70_000, intact.length >> 1, intact.length - 900, intact.length - 12, intact.length - 1];
  for (const offset of offsets) {
    const damaged = Buffer.from(intact);
    damaged.writeUInt8((damaged.readUInt8(offset) + 1) % 256, offset);
    await writeFile(file, damaged);
    expect(await isUsable(file), `byte ${offset}`).toBe(false);
  }
  await writeFile(file, intact);
  expect(await isUsable(file)).toBe(true);
});

it("rejects a snapshot that is truncated anywhere", async () => {
  const { file } = await saveSnapshot();
  const { length } = await readFile(file);
  for (const left of [length - 1, length - 13, length >> 1, 65_536, 11, 0]) {
    await truncate(file, left);
    expect(await isUsable(file), `${left} bytes`).toBe(false);
  }
});

it("keeps the old snapshot and no other file when saving fails", async () => {
  const { folder, file, lists } = await saveSnapshot();
  const missing = path.join(folder, "missing", "vectors");
  await expect(writeSnapshot(missing, [lists], "origin")).rejects.toThrow();
  // A folder in place of the file makes the rename fail after everything was written.
  const blocked = path.join(folder, "blocked");
  await mkdir(blocked);
  await writeFile(path.join(blocked, "file"), "");
  await expect(writeSnapshot(blocked, [lists], "origin")).rejects.toThrow();
  expect((await readdir(folder)).sort()).toEqual(["blocked", "vectors"]);
  expect(await isUsable(file)).toBe(true);
});

it("allows searches during a save", async () => {
  const { file, lists } = await saveSnapshot();
  const expected = lists.search(views, { count: 50 });
  const saving = writeSnapshot(file, [lists], "origin");
  expect(lists.search(views, { count: 50 })).toEqual(expected);
  await saving;
  expect((await read(file)).search(views, { count: 50 })).toEqual(expected);
});
