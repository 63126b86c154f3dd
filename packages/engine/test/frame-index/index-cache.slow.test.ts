import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  defaultModelFolder,
  type FrameImplementationName,
  type FrameIndex,
  inspectIndexCache,
  loadModel,
  type Model,
  openFrameIndex,
} from "@koma/engine";
import { hasHnswlib } from "@koma/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEpisode, createImage, createVectors, frameTime } from "../fixtures/descriptors.ts";

let folder: string;
let cacheFolder: string;
let model: Model;
let implementation: FrameImplementationName = "lists";
const opened: FrameIndex[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "koma-cache-"));
  cacheFolder = path.join(folder, "index");
  model = await loadModel();
});
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(
  other: Model = model,
  kind: FrameImplementationName = implementation,
): Promise<FrameIndex> {
  const index = await openFrameIndex({ model: other, cacheFolder, implementation: kind });
  opened.push(index);
  return index;
}

const implementations: { name: FrameImplementationName }[] = [
  { name: "lists" },
  ...(hasHnswlib() ? [{ name: "hnsw" } as const] : []),
];

const vectorsOf = (seed: number) => createVectors(seed, 120, model.dimensions);
const add = (index: FrameIndex, seed: number) =>
  index.add(`e${seed}`, createEpisode(model.id, vectorsOf(seed)));

async function find(index: FrameIndex, seed: number) {
  const vector = vectorsOf(seed)[42] ?? new Float32Array(0);
  return (await index.search(createImage(model, vector), { limit: 3 }))[0];
}

async function saveThree(): Promise<void> {
  const index = await open();
  for (const seed of [1, 2, 3]) await add(index, seed);
  await index.remove("e2");
  await index.save("17");
  await index.close();
}

async function fileNamed(end: string): Promise<string> {
  const name = (await readdir(cacheFolder)).find((one) => one.endsWith(end));
  return path.join(cacheFolder, name ?? "none");
}

describe("inspectIndexCache", () => {
  it("tells complete, incomplete, foreign and missing caches apart", async () => {
    expect(await inspectIndexCache(cacheFolder, model)).toBe("missing");
    await saveThree();
    expect(await inspectIndexCache(cacheFolder, model)).toBe("complete");
    expect(await inspectIndexCache(cacheFolder, { ...model, id: "other.2" })).toBe("of_another_origin");
    await rm(await fileNamed(".frames.tables"));
    expect(await inspectIndexCache(cacheFolder, model)).toBe("incomplete");
  });
});

describe.each(implementations)("index cache of $name", ({ name }) => {
  beforeEach(() => {
    implementation = name;
  });

  it("restores the saved content, which can be changed and saved again", async () => {
    await saveThree();
    const index = await open();
    expect(await index.restore()).toEqual({ seq: "17", episodeKeys: ["e1", "e3"] });
    expect(await find(index, 3)).toMatchObject({
      episodeKey: "e3",
      atSeconds: frameTime(model, 42),
      fromSeconds: 20,
      toSeconds: 24.5,
    });
    expect((await find(index, 2))?.isConfident).toBe(false);
    await add(index, 4);
    await index.remove("e1");
    await index.save("19");
    const again = await open();
    expect(await again.restore()).toEqual({ seq: "19", episodeKeys: expect.arrayContaining(["e3", "e4"]) });
    expect(await find(again, 4)).toMatchObject({ episodeKey: "e4", atSeconds: frameTime(model, 42) });
    expect((await find(again, 1))?.isConfident).toBe(false);
    // Vectors, tables and thumbnails of frames and regions, and the contents file.
    expect(await readdir(cacheFolder)).toHaveLength(9);
  });

  it("stores an empty index", async () => {
    await (await open()).save("0");
    const index = await open();
    expect(await index.restore()).toEqual({ seq: "0", episodeKeys: [] });
    await add(index, 1);
    expect(await find(index, 1)).toMatchObject({ episodeKey: "e1" });
  });

  it("is missing before the first save and without a folder", async () => {
    expect(await (await open()).restore()).toBeUndefined();
    const index = await openFrameIndex({ model });
    opened.push(index);
    await index.save("1");
    expect(await index.restore()).toBeUndefined();
  });

  it.each<[string, () => Promise<void>]>([
    ["truncated vectors", async () => truncate(await fileNamed("frames.vectors"), 0.5)],
    ["no vectors", async () => rm(await fileNamed("frames.vectors"))],
    ["truncated region vectors", async () => truncate(await fileNamed("regions.vectors"), 0.5)],
    ["changed region tables", async () => flip(await fileNamed("regions.tables"))],
    ["changed thumbnails", async () => flip(await fileNamed("frames.thumbnails"))],
    ["truncated tables", async () => truncate(await fileNamed("frames.tables"), 0.9)],
    ["a truncated contents file", async () => truncate(path.join(cacheFolder, "index.json"), 0.5)],
    ["a contents file without names", async () => editContents((contents) => ({ origin: contents.origin }))],
    ["another origin", async () => editContents((c) => ({ ...c, origin: c.origin.replace("3", "2") }))],
  ])("is not loaded with %s and is written again", async (_name, damage) => {
    await saveThree();
    await damage();
    const index = await open();
    expect(await index.restore()).toBeUndefined();
    expect(await index.stats()).toMatchObject({ frames: 0, episodes: 0 });
    await add(index, 1);
    expect(await find(index, 1)).toMatchObject({ episodeKey: "e1" });
    await index.save("20");
    expect(await (await open()).restore()).toEqual({ seq: "20", episodeKeys: ["e1"] });
  });

  it("is not loaded by another model or another version of the model", async () => {
    await saveThree();
    const otherFolder = path.join(folder, "model");
    await cp(defaultModelFolder, otherFolder, { recursive: true });
    const manifest = JSON.parse(await readFile(path.join(otherFolder, "manifest.json"), "utf8"));
    await writeFile(path.join(otherFolder, "manifest.json"), JSON.stringify({ ...manifest, id: "other-1" }));
    expect(await (await open(await loadModel(otherFolder))).restore()).toBeUndefined();
    expect(await (await open({ ...model, sha256: "0".repeat(64) })).restore()).toBeUndefined();
    const { principalAxes: _axes, ...plain } = model;
    expect(await (await open(plain)).restore()).toBeUndefined();
    expect(await (await open()).restore()).toMatchObject({ seq: "17" });
  });

  it("is not loaded by another implementation, which replaces it", async () => {
    await saveThree();
    for (const other of implementations.filter((one) => one.name !== name)) {
      expect(await inspectIndexCache(cacheFolder, model, other.name)).toBe("of_another_origin");
      const index = await open(model, other.name);
      expect(await index.restore()).toBeUndefined();
      await index.save("18");
      expect(await (await open()).restore()).toBeUndefined();
      expect(await (await open(model, other.name)).restore()).toMatchObject({ seq: "18" });
    }
  });

  it("is complete when several indexes save at the same time", async () => {
    const indexes = await Promise.all([1, 2, 3].map(() => open()));
    await Promise.all(indexes.map((index, at) => add(index, at + 1)));
    for (let round = 0; round < 5; round++) {
      await Promise.all(indexes.map((index, at) => index.save(`${at + 1}`)));
      const reader = await open();
      const restored = await reader.restore();
      expect(restored?.episodeKeys).toEqual([`e${restored?.seq}`]);
    }
  });

  it("removes old files of killed processes and keeps new files and files of others", async () => {
    await mkdir(cacheFolder, { recursive: true });
    const [old, young, foreign] = ["a", "b", "c"].map((letter) => letter.repeat(36));
    const left = [`${old}.frames.vectors`, `${old}.frames.vectors.${old}.tmp`, `${foreign}.txt`];
    for (const name of [...left, `${young}.regions.tables`])
      await writeFile(path.join(cacheFolder, name), "x");
    const longAgo = new Date(Date.now() - 7_200_000);
    for (const name of left) await utimes(path.join(cacheFolder, name), longAgo, longAgo);
    await saveThree();
    const names = await readdir(cacheFolder);
    expect(names.filter((name) => name.startsWith(`${old}`))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining([`${young}.regions.tables`, `${foreign}.txt`, "index.json"]),
    );
  });

  it("replaces the cache of version 0.1.0 and removes its files", async () => {
    const nameOf = (letter: string, kind: string) => `${letter.repeat(36)}.${kind}`;
    const writeOld = async (into: string, letter: string) => {
      await mkdir(into, { recursive: true });
      const contents: Record<string, unknown> = { origin: '{"format":2,"m":16}', seq: "12", nextLabel: 3 };
      for (const kind of ["graph", "tables", "thumbnails"]) {
        await writeFile(path.join(into, nameOf(letter, kind)), "x");
        contents[kind] = { name: nameOf(letter, kind), sha256: "0" };
      }
      await writeFile(path.join(into, "index.json"), JSON.stringify(contents));
    };
    await writeOld(cacheFolder, "a");
    await writeOld(path.join(cacheFolder, "regions-12"), "b");
    const index = await open();
    expect(await index.restore()).toBeUndefined();
    await add(index, 1);
    await index.save("20");
    const names = await readdir(cacheFolder);
    expect(names).toHaveLength(9);
    expect(names.filter((name) => name.startsWith("a".repeat(36)) || name.startsWith("regions-"))).toEqual(
      [],
    );
    expect(await (await open()).restore()).toEqual({ seq: "20", episodeKeys: ["e1"] });
  });

  it("rejects a save that cannot be written and stays usable", async () => {
    await writeFile(cacheFolder, "a file in place of the folder");
    const index = await open();
    await add(index, 1);
    await expect(index.save("1")).rejects.toThrow();
    expect(await find(index, 1)).toMatchObject({ episodeKey: "e1" });
  });
});

async function truncate(file: string, share: number): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * share)));
}

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0x40;
  await writeFile(file, bytes);
}

async function editContents(edit: (contents: { origin: string }) => unknown): Promise<void> {
  const file = path.join(cacheFolder, "index.json");
  await writeFile(file, JSON.stringify(edit(JSON.parse(await readFile(file, "utf8")))));
}
