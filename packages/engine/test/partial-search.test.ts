import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  decodeDescriptors,
  type Engine,
  encodeDescriptorChunks,
  encodeFrameTable,
  type FrameIndex,
  loadModel,
  openEngine,
  openFrameIndex,
  type Scene,
} from "@koma/engine";
import { sharp } from "@koma/image";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawImage, playScenes } from "./fixtures/drawn-scenes.ts";

const seeds = Array.from({ length: 16 }, (_, at) => 600 + at);
const secondsPerShot = 2;

let engine: Engine;
let index: FrameIndex;
let cacheFolder: string;

beforeAll(async () => {
  cacheFolder = await mkdtemp(path.join(tmpdir(), "koma-partial-"));
  const model = await loadModel();
  engine = await openEngine({ model, workers: 1 });
  index = await openFrameIndex({ model, cacheFolder });
  const descriptors = await engine.describeEpisode(
    playScenes(seeds, engine.frameStreamOptions, secondsPerShot, 6),
    { aspect: 16 / 9 },
  );
  await index.addStored("episode", {
    frameTable: encodeFrameTable(descriptors),
    chunks: encodeDescriptorChunks(descriptors, 64 * 1024),
  });
});
afterAll(async () => {
  await index.close();
  await engine.close();
  await rm(cacheFolder, { recursive: true, force: true });
});

async function search(bytes: Uint8Array, among: FrameIndex = index): Promise<Scene | undefined> {
  return (await engine.search(bytes, { index: among, limit: 5 })).scenes[0];
}

/** Returns the number of the shot that contains a scene. */
const shotOf = (scene: Scene | undefined) => Math.floor((scene?.atSeconds ?? -1) / secondsPerShot);

/** Draws a fifth of a scene, from a corner that differs between scenes. */
async function fifthOf(seed: number): Promise<Buffer> {
  const [width, height] = [640, 360];
  const part = { width: Math.round(width * 0.45), height: Math.round(height * 0.45) };
  const left = Math.round((width - part.width) * ((seed % 4) / 3));
  const top = Math.round((height - part.height) * ((seed % 3) / 2));
  return drawImage(seed, width, height)
    .extract({ left, top, ...part })
    .jpeg({ quality: 85 })
    .toBuffer();
}

describe("search of an image that shows a part of a scene", () => {
  it("finds the scene by the regions of its frames", async () => {
    const queried = seeds.filter((_, shot) => shot % 2 === 0);
    let right = 0;
    for (const seed of queried) {
      if (seeds[shotOf(await search(await fifthOf(seed)))] === seed) right++;
    }
    // Some parts of these drawn scenes show a single shape. Whole frames find a quarter.
    expect(right / queried.length).toBeGreaterThanOrEqual(0.6);
  });

  it("finds it again in the restored index", async () => {
    const bytes = await fifthOf(seeds[5] ?? 0);
    const before = await search(bytes);
    await index.save("7");
    const again = await openFrameIndex({ model: engine.model, cacheFolder });
    expect(await again.restore()).toEqual({ seq: "7", episodeKeys: ["episode"] });
    expect(await search(bytes, again)).toEqual(before);
    await again.close();
  });

  it("does not return an episode that was removed", async () => {
    const own = await openFrameIndex({ model: engine.model });
    const frames = playScenes(seeds.slice(0, 2), engine.frameStreamOptions, secondsPerShot, 6);
    await own.add("removed", await engine.describeEpisode(frames, { aspect: 16 / 9 }));
    await own.remove("removed");
    expect(await search(await fifthOf(seeds[0] ?? 0), own)).toBeUndefined();
    await own.close();
  });
});

describe("search of a rotated or inverted image", () => {
  it.each<[string, (seed: number) => Promise<Buffer>]>([
    ["upside down", (seed) => drawImage(seed).rotate(180).jpeg().toBuffer()],
    ["on its side", (seed) => drawImage(seed).rotate(90).jpeg().toBuffer()],
    ["rotated by 30 degrees", (seed) => drawImage(seed).rotate(30, { background: "#fff" }).jpeg().toBuffer()],
    [
      "inverted",
      async (seed) =>
        sharp(await drawImage(seed).png().toBuffer())
          .negate()
          .jpeg()
          .toBuffer(),
    ],
  ])("finds an image %s", async (_name, edit) => {
    let right = 0;
    for (const shot of [1, 5, 9, 13]) {
      if (shotOf(await search(await edit(seeds[shot] ?? 0))) === shot) right++;
    }
    expect(right).toBeGreaterThanOrEqual(3);
  });
});

it("finds an image of two tones by its large areas and its outlines", async () => {
  const shot = 9;
  const grey = sharp(
    await drawImage(seeds[shot] ?? 0, 640, 360)
      .png()
      .toBuffer(),
  ).greyscale();
  const { channels } = await grey.stats();
  const image = grey.threshold(Math.round(channels[0]?.mean ?? 0));
  expect(shotOf(await search(await image.png().toBuffer()))).toBe(shot);
});

it.each([
  ["dark", 0.1, 2],
  ["pale", 0.1, 220],
])("finds a very %s image with confidence", async (_name, contrast, brightness) => {
  const shot = 5;
  const image = sharp(
    await drawImage(seeds[shot] ?? 0, 640, 360)
      .png()
      .toBuffer(),
  ).linear(contrast, brightness);
  const scene = await search(await image.jpeg({ quality: 90 }).toBuffer());
  expect([shotOf(scene), scene?.isConfident]).toEqual([shot, true]);
});

describe("descriptors that were stored without regions", () => {
  it("are searched by their whole frames", async () => {
    const frames = playScenes(seeds.slice(0, 3), engine.frameStreamOptions, secondsPerShot, 6);
    const { regions, ...old } = await engine.describeEpisode(frames, { aspect: 16 / 9 });
    expect(regions?.count).toBeGreaterThan(0);
    const stored = { frameTable: encodeFrameTable(old), chunks: encodeDescriptorChunks(old, 64 * 1024) };
    expect(decodeDescriptors(engine.model.id, stored.frameTable, stored.chunks)).toEqual(old);
    const own = await openFrameIndex({ model: engine.model });
    await own.addStored("old", stored);
    expect(
      shotOf(
        await search(
          await drawImage(seeds[1] ?? 0)
            .jpeg()
            .toBuffer(),
          own,
        ),
      ),
    ).toBe(1);
    await own.close();
  });
});
