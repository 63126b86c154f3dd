import { type FrameIndex, type ImageDescription, loadModel, type Model, openFrameIndex } from "@koma/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frameThumbnailSize, writeFrameThumbnail } from "../../src/pixels/frame-thumbnail.ts";
import { createGreyRaster } from "../../src/pixels/grey-raster.ts";
import { createEpisode, createVectors, frameTime, unit } from "../fixtures/descriptors.ts";
import { drawScene } from "../fixtures/drawn-scenes.ts";

let model: Model;
let index: FrameIndex;

beforeAll(async () => {
  model = await loadModel();
  index = await openFrameIndex({ model });
});
afterAll(async () => {
  await index.close();
});

/**
 * Creates an episode of shots with two frames each that show the given scenes. The vector of a frame is that
 * of its scene.
 */
function episodeOf(scenes: readonly number[], vectorOf: (scene: number) => Float32Array) {
  const frames = scenes.flatMap((scene) => [scene, scene]);
  const episode = createEpisode(model.id, frames.map(vectorOf), 2);
  for (const [frame, scene] of frames.entries()) {
    const at = frame * frameThumbnailSize.bytes;
    const pixels = drawScene(scene, 112, 112);
    writeFrameThumbnail(pixels, 112, 112, episode.thumbnails.subarray(at, at + frameThumbnailSize.bytes));
  }
  return episode;
}

const plainVector = (scene: number) =>
  createVectors(scene, 1, model.dimensions)[0] ?? new Float32Array(model.dimensions);

function mix(one: Float32Array, other: Float32Array, share: number): Float32Array {
  return unit(one.map((value, at) => value + share * (other[at] ?? 0)));
}

function imageOf(scene: number, vector: Float32Array, phase = 0): ImageDescription {
  const [width, height] = [320, 180];
  const grey = createGreyRaster({ pixels: drawScene(scene, width, height, phase), width, height });
  return {
    modelId: model.id,
    width,
    height,
    isFlat: false,
    views: [{ vector, region: null, isMirrored: false }],
    grey,
  };
}

describe("search with verification", () => {
  it("ranks the true frame above a frame with a more similar descriptor", async () => {
    // The vector of the image is nearer to the similar frame's than to the true frame's.
    const vector = mix(plainVector(102), plainVector(101), 0.8);
    await index.add("true", episodeOf([101, 103, 104], plainVector));
    await index.add("look-alike", episodeOf([102, 105, 106], plainVector));
    const found = await index.search(imageOf(101, vector), { limit: 2 });
    const atSeconds = frameTime(model, 0, 2);
    expect(found[0]).toMatchObject({ episodeKey: "true", atSeconds, region: null, recurring: null });
    expect(found[1]?.similarity).toBeLessThan(0.2);
    const unverified = await index.search({ ...imageOf(101, vector), grey: null }, { limit: 1 });
    expect(unverified[0]?.episodeKey).toBe("look-alike");
  });

  it("returns the time of the best aligned frame near the most similar one", async () => {
    const own = await openFrameIndex({ model });
    const [seed, count, shown] = [141, 40, 20];
    const vectorOf = (frame: number) =>
      mix(plainVector(seed), plainVector(seed + 1), frame === 5 ? 0.01 : 0.2);
    const episode = createEpisode(
      model.id,
      Array.from({ length: count }, (_, frame) => vectorOf(frame)),
      count,
    );
    for (let frame = 0; frame < count; frame++) {
      const at = frame * frameThumbnailSize.bytes;
      const pixels = drawScene(seed, 112, 112, frame / count);
      writeFrameThumbnail(pixels, 112, 112, episode.thumbnails.subarray(at, at + frameThumbnailSize.bytes));
    }
    await own.add("moving", episode);
    const image = imageOf(seed, plainVector(seed), shown / count);
    const [found] = await own.search(image, { limit: 1 });
    const [before, after] = [shown - 1, shown + 1].map((frame) => frameTime(model, frame, count));
    expect(found?.atSeconds).toBeGreaterThanOrEqual(before ?? 0);
    expect(found?.atSeconds).toBeLessThanOrEqual(after ?? 0);
    await own.close();
  });

  it("rejects a frame that does not agree, however similar its descriptor is", async () => {
    const [best] = await index.search(imageOf(111, plainVector(101)), { limit: 1 });
    expect(best).toMatchObject({ episodeKey: "true", isConfident: false });
  });

  it("returns an opening once, with all other episodes that contain it", async () => {
    const opening = [121, 122, 123];
    await index.add("first", episodeOf([...opening, 131, 132], plainVector));
    await index.add("second", episodeOf([133, 134, ...opening], plainVector));
    await index.add("third", episodeOf([135, ...opening, 136], plainVector));
    const found = await index.search(imageOf(122, plainVector(122)), { limit: 5 });
    const [best, ...others] = found;
    const locations = [best, ...(best?.recurring ?? [])].map((location) => [
      location?.episodeKey,
      location?.fromSeconds,
    ]);
    expect(locations.sort()).toEqual([
      ["first", 1],
      ["second", 3],
      ["third", 2],
    ]);
    expect(best?.isConfident).toBe(true);
    for (const other of others) expect(other.similarity).toBeLessThan(0.2);
    const [own] = await index.search(imageOf(131, plainVector(131)), { limit: 1 });
    expect(own).toMatchObject({ episodeKey: "first", isConfident: true, recurring: null });
  });

  it("searches recurrences only in the given episodes", async () => {
    const episodeKeys = new Set(["second", "third"]);
    const [best] = await index.search(imageOf(123, plainVector(123)), { limit: 5, episodeKeys });
    expect(best?.recurring).toHaveLength(1);
  });

  it("returns the other occurrences of a shot in its episode", async () => {
    await index.add("repeating", episodeOf([161, 162, 163, 161, 164, 165, 161], plainVector));
    const [best] = await index.search(imageOf(161, plainVector(161)), { limit: 5 });
    const locations = [best, ...(best?.otherOccurrences ?? [])].map((location) => location?.fromSeconds);
    expect(locations.sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual([0, 3, 6]);
    expect(best?.recurring).toBeNull();
    const [once] = await index.search(imageOf(164, plainVector(164)), { limit: 5 });
    expect(once?.otherOccurrences).toEqual([]);
  });

  it("continues when an episode is removed during the search", async () => {
    const own = await openFrameIndex({ model });
    const scenes = Array.from({ length: 30 }, (_, at) => 500 + at);
    const image = imageOf(505, plainVector(505));
    await own.add("left", episodeOf([505], plainVector));
    for (let round = 0; round < 3; round++) {
      await own.add("taken", episodeOf(scenes, plainVector));
      const searching = own.search(image, { limit: 5 });
      const [found] = await Promise.all([searching, own.remove("taken")]);
      expect(found.length).toBeGreaterThan(0);
    }
    await own.close();
  });
});
