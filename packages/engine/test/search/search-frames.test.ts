import { type ImageDescription, loadModel } from "@koma/engine";
import { expect, test } from "vitest";
import { createIndexedFrames, openViews } from "../../src/frame-index/indexed-frames.ts";
import { openStripFile } from "../../src/frame-index/strip-file.ts";
import { openThumbnailFile } from "../../src/frame-index/thumbnail-file.ts";
import { createFrameLists } from "../../src/nearest-neighbours/frame-lists.ts";
import { frameThumbnailSize, writeFrameThumbnail } from "../../src/pixels/frame-thumbnail.ts";
import { createGreyRaster } from "../../src/pixels/grey-raster.ts";
import { searchFrames } from "../../src/search/search-frames.ts";
import { createEpisode, createVectors } from "../fixtures/descriptors.ts";
import { drawScene } from "../fixtures/drawn-scenes.ts";

const model = await loadModel();

function openFrames() {
  return createIndexedFrames(model, {
    vectors: createFrameLists(model.dimensions),
    thumbnails: openThumbnailFile(),
    strips: openStripFile(),
    episodes: [],
  });
}

test("looks for the recurrences of the best hit once", async () => {
  const [seed, width, height] = [101, 320, 180];
  const vectors = createVectors(seed, 3, model.dimensions, 1);
  const episode = createEpisode(model.id, vectors, 1);
  for (const frame of vectors.keys()) {
    const at = frame * frameThumbnailSize.bytes;
    const thumbnail = episode.thumbnails.subarray(at, at + frameThumbnailSize.bytes);
    writeFrameThumbnail(drawScene(seed + frame, 112, 112), 112, 112, thumbnail);
  }
  const index = { frames: openFrames(), regions: openFrames() };
  const cleanUp = await index.frames.add("episode", episode);
  await cleanUp();
  const { frames, ...others } = openViews(index);
  const searched: number[] = [];
  const findSimilar: typeof frames.findSimilar = (hit, options) => {
    searched.push(hit.frame);
    return frames.findSimilar(hit, options);
  };
  const image: ImageDescription = {
    modelId: model.id,
    width,
    height,
    isFlat: false,
    views: [{ vector: vectors[0] ?? new Float32Array(model.dimensions), region: null, isMirrored: false }],
    grey: createGreyRaster({ pixels: drawScene(seed, width, height), width, height }),
  };
  const openCounted = () => ({ frames: { ...frames, findSimilar }, ...others });
  const { scenes } = await searchFrames({ model, openViews: openCounted }, image, { limit: 1 });
  expect(scenes).toMatchObject([{ episodeKey: "episode", fromSeconds: 0, isConfident: true }]);
  // It is pinpointed, and becomes the first scene.
  expect(searched).toEqual([0]);
  for (const one of Object.values(index)) one.close();
});
