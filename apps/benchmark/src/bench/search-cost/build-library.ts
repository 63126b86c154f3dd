import type { EpisodeDescriptors, Model, RegionDescriptors } from "@koma/engine";
import { createIndexedFrames } from "@koma/engine/internals/frame-index/indexed-frames";
import { openStripFile } from "@koma/engine/internals/frame-index/strip-file";
import { openThumbnailFile } from "@koma/engine/internals/frame-index/thumbnail-file";
import { readPrincipalAxes } from "@koma/engine/internals/model/model";
import { createBinaryNeighbours } from "@koma/engine/internals/nearest-neighbours/binary-neighbours";
import { createFrameLists } from "@koma/engine/internals/nearest-neighbours/frame-lists";
import { createFrameSearcher } from "@koma/engine/internals/nearest-neighbours/frame-searcher";
import { generateEpisodes } from "../../vector-index/generate-episodes.ts";

/** An episode with its key in the index. */
export type KeyedEpisode = { key: string; descriptors: EpisodeDescriptors };

const THUMBNAIL_BYTES = 480;
const FRAMES_PER_SHOT = 40;
const SECONDS_PER_FRAME = 0.17;
/** A larger library has vectors only: its thumbnails and regions would need 1.4 kB of disk per frame. */
const MOST_COMPLETE = 2_000_000;
/** One frame of so many has regions, as in the videos. */
const FRAMES_PER_REGION_SET = 8;
const REGIONS = 9;
/** Its reader number; 0 belongs to the index. */
const OWN_READER = 1;

/**
 * Creates an index of at least `frames` frames in this thread: the real episodes, then generated ones whose
 * descriptors have the statistics of the real ones. The thumbnails of generated frames are real ones. From two
 * million frames on it is the vector index alone. The caller must close it.
 */
export async function buildLibrary(model: Model, real: readonly KeyedEpisode[], frames: number) {
  const startedMs = cpuMs();
  const lists = createFrameLists(model.dimensions, readPrincipalAxes(model));
  const searcher = createFrameSearcher(lists.memory, OWN_READER);
  let comparisons = 0;
  const search: typeof lists.search = (views, options) => {
    const found = searcher.search(views, options);
    comparisons += searcher.comparisons();
    return found;
  };
  const isIndexAlone = frames > MOST_COMPLETE;
  const thumbnails = openThumbnailFile();
  const index = {
    frames: createIndexedFrames(model, {
      vectors: { ...lists, search },
      thumbnails: isIndexAlone ? { ...thumbnails, write: () => undefined } : thumbnails,
      strips: openStripFile(),
      episodes: [],
    }),
    regions: createIndexedFrames(model, {
      vectors: createBinaryNeighbours(model.dimensions),
      thumbnails: openThumbnailFile(),
      strips: openStripFile(),
      episodes: [],
    }),
  };
  const add = async (key: string, descriptors: EpisodeDescriptors) => {
    await (await index.frames.add(key, descriptors))();
    const { regions } = descriptors;
    if (regions !== undefined && !isIndexAlone) await (await index.regions.add(key, regions))();
  };
  for (const { key, descriptors } of real) await add(key, descriptors);
  const generated = generate(real, model);
  for (let number = 0; index.frames.stats().frames < frames; number++)
    await add(`generated ${number}`, generated(frames - index.frames.stats().frames));
  const [ofFrames, ofRegions] = [index.frames.stats(), index.regions.stats()];
  return {
    index,
    isIndexAlone,
    frames: ofFrames.frames,
    regions: ofRegions.frames,
    bytesPerFrame: {
      frames: ofFrames.memoryBytes / ofFrames.frames,
      regions: ofRegions.memoryBytes / ofFrames.frames,
    },
    buildCpuSeconds: (cpuMs() - startedMs) / 1000,
    /** Comparisons of a frame and a view since the last call. */
    takeComparisons: (): number => {
      const taken = comparisons;
      comparisons = 0;
      return taken;
    },
    close: (): void => {
      index.frames.close();
      index.regions.close();
    },
  };
}

export type BuiltLibrary = Awaited<ReturnType<typeof buildLibrary>>;

/** Returns the processor time of this process so far, all threads included. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns a function that generates an episode of at most so many frames. */
function generate(real: readonly KeyedEpisode[], model: Model) {
  const regionTables = real.flatMap(({ descriptors }) => descriptors.regions ?? []);
  const sources = {
    frames: generateEpisodes(real.map(({ descriptors }) => descriptors)),
    regions: regionTables.length > 0 ? generateEpisodes(regionTables) : undefined,
  };
  const thumbnails = Buffer.concat(real.map(({ descriptors }) => descriptors.thumbnails));
  const toTable = (codes: Int8Array, perTime: number): RegionDescriptors => {
    const count = codes.length / model.dimensions;
    const frameOf = (at: number) => Math.floor(at / perTime) * (perTime > 1 ? FRAMES_PER_REGION_SET : 1);
    const atSeconds = Float64Array.from({ length: count }, (_, at) => frameOf(at) * SECONDS_PER_FRAME);
    const shotOf = Uint32Array.from({ length: count }, (_, at) => Math.floor(frameOf(at) / FRAMES_PER_SHOT));
    const length = FRAMES_PER_SHOT * SECONDS_PER_FRAME;
    const shots = Array.from({ length: (shotOf.at(-1) ?? -1) + 1 }, (_, shot) => ({
      fromSeconds: shot * length,
      toSeconds: (shot + 1) * length - SECONDS_PER_FRAME,
    }));
    const records = new Uint8Array(count * THUMBNAIL_BYTES);
    for (let at = 0; at < records.length; at += thumbnails.length)
      records.set(thumbnails.subarray(0, records.length - at), at);
    const scales = new Float32Array(count).fill(1 / 127);
    return {
      modelId: model.id,
      aspect: 16 / 9,
      count,
      atSeconds,
      shotOf,
      shots,
      vectors: codes,
      scales,
      thumbnails: records,
    };
  };
  return (most: number): EpisodeDescriptors => {
    const all = sources.frames.next().value;
    const codes = all.slice(0, most * model.dimensions);
    const count = codes.length / model.dimensions;
    const regionCount = Math.floor(count / FRAMES_PER_REGION_SET) * REGIONS;
    const regionCodes = sources.regions?.next().value.slice(0, regionCount * model.dimensions);
    return { ...toTable(codes, 1), regions: regionCodes && toTable(regionCodes, REGIONS) };
  };
}
