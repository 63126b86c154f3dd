import { rm } from "node:fs/promises";
import { type FrameImplementationName, loadModel } from "@koma/engine";
import {
  createGraphImplementation,
  createListImplementation,
  type FrameImplementation,
} from "@koma/engine/internals/frame-index/frame-implementation";
import { createIndexCache } from "@koma/engine/internals/frame-index/index-cache";
import { createIndexedFrames, type IndexContent } from "@koma/engine/internals/frame-index/indexed-frames";
import { openStripFile } from "@koma/engine/internals/frame-index/strip-file";
import { openThumbnailFile } from "@koma/engine/internals/frame-index/thumbnail-file";
import { createBinaryNeighbours } from "@koma/engine/internals/nearest-neighbours/binary-neighbours";
import type { FrameVectors } from "@koma/engine/internals/nearest-neighbours/frame-vectors";
import { frameThumbnailSize } from "@koma/engine/internals/pixels/frame-thumbnail";
import { framesPerShot, generateFrames, generateViews } from "./generate-frames.ts";

/** The costs of an index, and what it finds of an exact search (recall). Times are those of the processor. */
export type IndexMeasurement = {
  implementation: FrameImplementationName;
  frames: number;
  bytesPerFrame: number;
  buildSeconds: number;
  msPerView: number;
  /** The shares of the nearest 10 and 100 frames that a search for 100 finds among its first 10 and 100. */
  foundOf10: number;
  foundOf100: number;
  startSeconds: number;
};

const framesPerEpisode = 8000;
const queries = { images: 20, viewsPerImage: 12 };
const neighbours = 100;

const [name, frames, folder] = process.argv.slice(2) as [FrameImplementationName, string, string];
const model = await loadModel();
const measurement =
  name === "hnsw"
    ? await measure(await createGraphImplementation(model))
    : await measure(createListImplementation(model));
process.stdout.write(JSON.stringify(measurement));

/** Measures an index in a process of its own, whose resident memory grows by that of the index. */
async function measure<V extends FrameVectors>(
  implementation: FrameImplementation<V>,
): Promise<IndexMeasurement> {
  const count = Number(frames);
  const codes = generateFrames(model, count);
  const images = generateViews(model, codes, queries);
  const openPart = <P extends FrameVectors>(vectors: P): IndexContent<P> => {
    return { vectors, thumbnails: openThumbnailFile(folder), strips: openStripFile(folder), episodes: [] };
  };
  const index = createIndexedFrames(model, openPart(implementation.create()));
  const residentBefore = measureResident();
  const [, buildSeconds] = await timed(async () => {
    for (let first = 0; first < count; first += framesPerEpisode) {
      const end = Math.min(count, first + framesPerEpisode);
      const cleanUp = await index.add(`${first}`, describe(codes.subarray(first * 128, end * 128)));
      await cleanUp();
    }
  });
  const residentBytes = measureResident() - residentBefore;
  const view = index.openView();
  const search = (views: readonly Float32Array[]) => view.findNearest(views, { count: neighbours });
  search(images[0] ?? []);
  const [found, searchSeconds] = await timed(async () => images.flatMap(search));
  const cache = createIndexCache(folder, model, name, implementation);
  const regions = openPart(createBinaryNeighbours(model.dimensions, folder));
  await cache.save({ seq: "1", frames: index.content(), regions });
  const [cached, startSeconds] = await timed(() => cache.load());
  if (cached === undefined) throw new Error("The cache cannot be used.");
  await rm(folder, { recursive: true });
  const labels = found.map((hits) => hits.map(({ episode, frame }) => episode.firstLabel + frame));
  const exact = images.flat().map((vector) => findExactly(codes, vector));
  return {
    implementation: name,
    frames: count,
    bytesPerFrame: residentBytes / count,
    buildSeconds,
    msPerView: (searchSeconds * 1000) / exact.length,
    foundOf10: foundShare(10, labels, exact),
    foundOf100: foundShare(neighbours, labels, exact),
    startSeconds,
  };
}

/** An episode with these descriptors, a frame per second and empty thumbnails. */
function describe(vectors: Int8Array) {
  const count = vectors.length / model.dimensions;
  return {
    modelId: model.id,
    aspect: 16 / 9,
    count,
    atSeconds: Float64Array.from({ length: count }, (_, frame) => frame),
    shotOf: Uint32Array.from({ length: count }, (_, frame) => Math.floor(frame / framesPerShot)),
    shots: Array.from({ length: Math.ceil(count / framesPerShot) }, (_, shot) => ({
      fromSeconds: shot * framesPerShot,
      toSeconds: (shot + 1) * framesPerShot,
    })),
    vectors,
    scales: new Float32Array(count),
    thumbnails: new Uint8Array(count * frameThumbnailSize.bytes),
  };
}

async function timed<T>(work: () => Promise<T>): Promise<[result: T, seconds: number]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}

function measureResident(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

/** Returns the numbers of the nearest frames, best first. */
function findExactly(codes: Int8Array, view: Float32Array): number[] {
  const { dimensions } = model;
  const nearest: { frame: number; cosine: number }[] = [];
  let least = -1;
  for (let frame = 0, at = 0; at < codes.length; frame++) {
    let [product, power] = [0, 0];
    for (let d = 0; d < dimensions; d++, at++) {
      const code = codes[at] ?? 0;
      product += code * (view[d] ?? 0);
      power += code * code;
    }
    const cosine = product / Math.sqrt(Math.max(1, power));
    if (nearest.length === neighbours && cosine <= least) continue;
    const rank = nearest.findIndex((other) => other.cosine < cosine);
    nearest.splice(rank < 0 ? nearest.length : rank, 0, { frame, cosine });
    nearest.length = Math.min(nearest.length, neighbours);
    least = nearest.at(-1)?.cosine ?? -1;
  }
  return nearest.map(({ frame }) => frame);
}

function foundShare(
  rank: number,
  found: readonly (readonly number[])[],
  exact: readonly (readonly number[])[],
): number {
  const hits = exact.flatMap((nearest, at) => {
    const own = new Set(found[at]?.slice(0, rank));
    return nearest.slice(0, rank).filter((frame) => own.has(frame));
  });
  return hits.length / (exact.length * rank);
}
