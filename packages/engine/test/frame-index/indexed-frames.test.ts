import { loadModel } from "@koma/engine";
import { createIndexedFrames } from "../../src/frame-index/indexed-frames.ts";
import { openStripFile } from "../../src/frame-index/strip-file.ts";
import { openThumbnailFile } from "../../src/frame-index/thumbnail-file.ts";
import { createFrameLists } from "../../src/nearest-neighbours/frame-lists.ts";
import { frameThumbnailSize } from "../../src/pixels/frame-thumbnail.ts";
import { testVectorIndex, type VectorIndex } from "../nearest-neighbours/conformance.ts";
import { dimensions } from "../nearest-neighbours/seeded-vectors.ts";

const model = await loadModel();

testVectorIndex("the indexed frames", async () => openVectorIndex());

/** Opens the frames of the engine's index, without images and scenes. */
function openVectorIndex(): VectorIndex {
  const frames = createIndexedFrames(model, {
    vectors: createFrameLists(dimensions),
    thumbnails: openThumbnailFile(),
    strips: openStripFile(),
    episodes: [],
  });
  return {
    async add(episodeKey, vectors) {
      const cleanUp = await frames.add(episodeKey, describe(vectors));
      await cleanUp();
    },
    async remove(episodeKey) {
      const cleanUp = await frames.remove(episodeKey);
      await cleanUp();
    },
    search: async (views, options) =>
      frames
        .openView()
        .findNearest(views, options)
        .map((hits) =>
          hits.map(({ episode, frame, cosine }) => ({ episodeKey: episode.key, frame, cosine })),
        ),
    vectorsOf: async (refs) =>
      refs.map(({ episodeKey, frame }) => {
        const episode = frames.openView().episodeOf(episodeKey);
        if (episode === undefined || frame < 0 || frame >= episode.table.count) return undefined;
        return frames.openView().vectorOf({ episode, frame, view: 0, cosine: 1 });
      }),
    stats: async () => frames.stats(),
    close: async () => frames.close(),
  };
}

function describe(vectors: Int8Array) {
  const count = Math.ceil(vectors.length / dimensions);
  return {
    modelId: model.id,
    aspect: 1,
    count,
    atSeconds: Float64Array.from({ length: count }, (_, frame) => frame),
    shotOf: new Uint32Array(count),
    shots: [{ fromSeconds: 0, toSeconds: count }],
    vectors,
    scales: new Float32Array(count),
    thumbnails: new Uint8Array(count * frameThumbnailSize.bytes),
  };
}
