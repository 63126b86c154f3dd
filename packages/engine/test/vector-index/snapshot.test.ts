import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openEmbeddedVectorIndex } from "../../src/vector-index/embedded-vector-index.ts";
import { createEpisode, createView, dimensions } from "./seeded-vectors.ts";

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-vector-index-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A snapshot of the episodes a and b; a third was removed before. */
async function saveSnapshot() {
  const folder = await createFolder();
  const snapshotFile = path.join(folder, "vectors");
  const index = openEmbeddedVectorIndex({ dimensions, snapshotFile });
  await index.add("gone", createEpisode(9, 500));
  await index.add("a", createEpisode(1, 700));
  await index.add("b", createEpisode(2, 300));
  await index.remove("gone");
  await index.save("41");
  return { folder, snapshotFile, index };
}

const views = [createView(createEpisode(1, 700), 650), createView(createEpisode(2, 300), 7)];

it("restores what was saved, and goes on from there", async () => {
  const { snapshotFile, index } = await saveSnapshot();
  const expected = await index.search(views, { count: 50 });
  const restored = openEmbeddedVectorIndex({ dimensions, snapshotFile });
  expect(await restored.restore()).toEqual({ seq: "41", episodeKeys: ["a", "b"] });
  expect(await restored.search(views, { count: 50 })).toEqual(expected);
  expect(await restored.stats()).toMatchObject({ frames: 1000, episodes: 2 });

  await restored.add("c", createEpisode(3, 800));
  await restored.remove("a");
  await restored.save("42");
  const again = openEmbeddedVectorIndex({ dimensions, snapshotFile });
  expect(await again.restore()).toEqual({ seq: "42", episodeKeys: expect.arrayContaining(["b", "c"]) });
  const [found] = await again.search([createView(createEpisode(3, 800), 799)], { count: 2000 });
  expect(found).toHaveLength(1100);
  expect(found?.[0]).toMatchObject({ episodeKey: "c", frame: 799 });
});

it("does not grow over restarts in which episodes are replaced", async () => {
  const { snapshotFile } = await saveSnapshot();
  const sizes: number[] = [];
  for (let round = 0; round < 6; round++) {
    const index = openEmbeddedVectorIndex({ dimensions, snapshotFile });
    await index.restore();
    await index.add("a", createEpisode(1, 700));
    await index.search(views, { count: 200 });
    await index.save(String(round));
    sizes.push((await readFile(snapshotFile)).length);
  }
  expect(sizes.at(-1)).toBeLessThan((sizes[1] ?? 0) + 4096);
});

it("has nothing to restore from a missing file, and nothing to save without one", async () => {
  const folder = await createFolder();
  const index = openEmbeddedVectorIndex({ dimensions, snapshotFile: path.join(folder, "none") });
  expect(await index.restore()).toBeUndefined();
  const unsaved = openEmbeddedVectorIndex({ dimensions });
  await unsaved.save("1");
  expect(await unsaved.restore()).toBeUndefined();
});

it("refuses a snapshot with any damaged part, and stays empty and usable", async () => {
  const { snapshotFile } = await saveSnapshot();
  const intact = await readFile(snapshotFile);
  const offsets = [0, 70_000, intact.length >> 1, intact.length - 900, intact.length - 12, intact.length - 1];
  for (const offset of offsets) {
    const damaged = Buffer.from(intact);
    damaged.writeUInt8((damaged.readUInt8(offset) + 1) % 256, offset);
    await writeFile(snapshotFile, damaged);
    const index = openEmbeddedVectorIndex({ dimensions, snapshotFile });
    expect(await index.restore(), `byte ${offset}`).toBeUndefined();
    await index.add("a", createEpisode(1, 20));
    expect(await index.stats()).toMatchObject({ frames: 20, episodes: 1 });
  }
  await writeFile(snapshotFile, intact);
  expect(await openEmbeddedVectorIndex({ dimensions, snapshotFile }).restore()).toBeDefined();
});

it("refuses a snapshot that is cut off anywhere", async () => {
  const { snapshotFile } = await saveSnapshot();
  const { length } = await readFile(snapshotFile);
  for (const left of [length - 1, length - 13, length >> 1, 65_536, 11, 0]) {
    await truncate(snapshotFile, left);
    expect(await openEmbeddedVectorIndex({ dimensions, snapshotFile }).restore()).toBeUndefined();
  }
});

it("refuses a snapshot of other dimensions", async () => {
  const { snapshotFile } = await saveSnapshot();
  expect(await openEmbeddedVectorIndex({ dimensions: 64, snapshotFile }).restore()).toBeUndefined();
});

it("keeps the old snapshot and no other file when saving fails", async () => {
  const { folder, snapshotFile, index } = await saveSnapshot();
  const missing = path.join(folder, "missing", "vectors");
  await expect(openEmbeddedVectorIndex({ dimensions, snapshotFile: missing }).save("1")).rejects.toThrow();
  // A folder in the file's offset makes the rename fail, after all has been written.
  const blocked = path.join(folder, "blocked");
  await writeFile(path.join(await createSubfolder(blocked), "file"), "");
  await expect(openEmbeddedVectorIndex({ dimensions, snapshotFile: blocked }).save("1")).rejects.toThrow();
  await index.save("43");
  expect((await readdir(folder)).sort()).toEqual(["blocked", "vectors"]);
  expect(await openEmbeddedVectorIndex({ dimensions, snapshotFile }).restore()).toMatchObject({ seq: "43" });
});

async function createSubfolder(folder: string): Promise<string> {
  await mkdir(folder);
  return folder;
}

it("is searched and saved at the same time", async () => {
  const { snapshotFile, index } = await saveSnapshot();
  const expected = await index.search(views, { count: 50 });
  const saving = index.save("44");
  expect(await index.search(views, { count: 50 })).toEqual(expected);
  await saving;
  const restored = openEmbeddedVectorIndex({ dimensions, snapshotFile });
  expect(await restored.restore()).toMatchObject({ seq: "44" });
  expect(await restored.search(views, { count: 50 })).toEqual(expected);
});
