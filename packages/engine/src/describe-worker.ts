import { workerData } from "node:worker_threads";
import { loadDecoder } from "@koma/image";
import { type Cancellation, throwIfCancelled } from "./cancellation.ts";
import type { DescribedFrames } from "./episode/episode-builder.ts";
import { enlargeRegions } from "./episode/frame-regions.ts";
import type { IndexPort } from "./frame-index/index-port.ts";
import { type DecoderLock, decodeAlone } from "./image/decode-alone.ts";
import { type DecodedImage, decodeImage } from "./image/decode-image.ts";
import { createImageDescriber } from "./image/describe-image.ts";
import type { ImageDescription } from "./image/image-description.ts";
import { ImageError, type ImageErrorCode } from "./image/image-error.ts";
import { restoreTones } from "./image/restore-tones.ts";
import { openDescriptorSession } from "./model/descriptor-session.ts";
import type { Model } from "./model/model.ts";
import { quantise } from "./nearest-neighbours/quantise.ts";
import { frameThumbnailSize, writeFrameThumbnail } from "./pixels/frame-thumbnail.ts";
import { createThumbnail, isFlatThumbnail } from "./pixels/thumbnail.ts";
import { connectIndex } from "./search/connect-index.ts";
import { mergeScenes } from "./search/merge-scenes.ts";
import type { Scene } from "./search/scene.ts";
import type { SceneSearchOptions } from "./search/search-frames.ts";
import { LEAST_SCENES } from "./search/weigh-rivals.ts";

/** The search of an image file in an index. */
export type SearchTask = {
  kind: "search";
  bytes: Uint8Array;
  trimBorders: boolean;
  options: SceneSearchOptions;
  index: IndexPort;
};

/** A task of a worker thread: a search, or frames of the model's input size or regions of one frame to describe. */
export type DescribeTask = SearchTask | { kind: "frames" | "regions"; pixels: Uint8Array };

/** Errors of an image are sent as data because threads do not preserve their class. */
export type RejectedImage = { rejected: { code: ImageErrorCode; message: string } };

/** An error with a code, as those of a database; the pool of workers would lose the code. */
export type FailedTask = { failed: { code: string; message: string } };

/** Durations of the steps of a search in a worker. `indexMs` excludes the verification. */
export type SearchTimings = { decodeMs: number; describeMs: number; indexMs: number; verificationMs: number };

export type DescribeResult =
  | DescribedFrames
  | RejectedImage
  | FailedTask
  | {
      scenes: Scene[];
      descriptor: Int8Array | undefined;
      viewCount: number;
      frameAtSeconds: number | undefined;
      timings: SearchTimings;
    };

type WorkerData = { model: Model; opened: Int32Array; decoderLock: DecoderLock };
const { model, opened, decoderLock }: WorkerData = workerData;
loadDecoder();
// Counted also when it fails: the engine that closes waits for each thread that is opening a session.
const session = await openDescriptorSession(model).finally(() => Atomics.add(opened, 0, 1));

/** The entry of a worker thread; its only state is the loaded model. */
export default async function describe(task: DescribeTask): Promise<DescribeResult> {
  if (task.kind === "search")
    return orRejected(() => searchImage(task)).finally(() => task.index.port.close());
  const { width, height } = model.input;
  if (task.kind === "frames") return processFrames(task.pixels);
  return processRegions(enlargeRegions(task.pixels, width, height));
}

/** Decodes an image; one that needs most memory while no other thread decodes such an image. */
function decode(bytes: Uint8Array, cancelled?: Cancellation): Promise<DecodedImage> {
  return decodeImage(bytes, { runAlone: (decoder) => decodeAlone(decoderLock, cancelled, decoder) });
}

/**
 * Searches by the whole image first, which is enough where it shows a frame exactly, then by few views. The image may
 * show a part of the scene only: searching for that takes ten times as long and is done where the first views find no
 * certain match, by the likely views before the others. One that has lost its tones has others for it. A corrupt image is
 * rejected even if the index is empty. A cancelled search ends after the stage that runs.
 */
async function searchImage({ bytes, trimBorders, options: { limit, ...o }, index }: SearchTask) {
  const options = { ...o, limit: Math.max(LEAST_SCENES, limit) };
  const { cancelled } = options;
  throwIfCancelled(cancelled);
  const timings: SearchTimings = { decodeMs: 0, describeMs: 0, indexMs: 0, verificationMs: 0 };
  const searchIndex = connectIndex(model, index);
  const search = async (image: ImageDescription, isExact = false) => {
    const request = { image, options: { ...options, isExact } };
    const { scenes, verificationMs } = await timed("indexMs", () => searchIndex(request));
    timings.indexMs -= verificationMs;
    timings.verificationMs += verificationMs;
    return scenes;
  };
  const decoded = await timed("decodeMs", () => decode(bytes, cancelled));
  const { frameAtSeconds } = decoded;
  const open = async (image: DecodedImage) =>
    createImageDescriber(model, session, image, { trimBorders, cancelled });
  let describer = await timed("describeMs", () => open(decoded));
  const whole = await timed("describeMs", describer.describeWhole);
  const descriptor = descriptorOf(whole);
  const exact = whole.isFlat ? [] : await search(whole, true);
  if (exact.length > 0)
    return { scenes: exact.slice(0, limit), descriptor, viewCount: 1, frameAtSeconds, timings };
  const first = await timed("describeMs", describer.describeFirst);
  let scenes = await search(first);
  let viewCount = first.views.length;
  const isConfident = () => scenes[0]?.isConfident === true;
  const searchMore = async (image: ImageDescription) => {
    viewCount += image.views.length;
    scenes = mergeScenes(scenes, await search(image), model);
  };
  let { isFlat } = first;
  const restored = isConfident() ? undefined : restoreTones(decoded.raster);
  if (restored !== undefined) {
    describer = await timed("describeMs", () => open({ ...decoded, raster: restored }));
    const described = await timed("describeMs", describer.describeFirst);
    ({ isFlat } = described);
    await searchMore(described);
  }
  while (!isConfident() && !isFlat && scenes.length > 0) {
    const next = await timed("describeMs", describer.describeNext);
    if (next === undefined) break;
    await searchMore(next);
  }
  return { scenes: scenes.slice(0, limit), descriptor, viewCount, frameAtSeconds, timings };

  async function timed<T>(step: keyof SearchTimings, work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const result = await work();
    timings[step] += performance.now() - startedMs;
    return result;
  }
}

/** The descriptor of the whole image; an image with hardly any content is similar to all such images and has none. */
function descriptorOf({ isFlat, views: [whole] }: ImageDescription): Int8Array | undefined {
  if (isFlat || whole === undefined) return undefined;
  const vector = new Int8Array(model.dimensions);
  quantise(whole.vector, vector);
  return vector;
}

async function orRejected<T>(work: () => Promise<T>): Promise<T | RejectedImage | FailedTask> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImageError) return { rejected: { code: error.code, message: error.message } };
    if (error instanceof Error && "code" in error && typeof error.code === "string")
      return { failed: { code: error.code, message: error.message } };
    throw error;
  }
}

/**
 * Describes regions. A region with hardly any content has the zero vector: it is similar to all such regions.
 */
async function processRegions(pixels: Uint8Array): Promise<DescribedFrames> {
  const { width, height } = model.input;
  return processFrames(pixels, (region) => !isFlatThumbnail(createThumbnail(region, width, height)));
}

/** Describes frames. Those that `isDescribed` excludes have a thumbnail and the zero vector. */
async function processFrames(
  pixels: Uint8Array,
  isDescribed: (frame: Uint8Array) => boolean = () => true,
): Promise<DescribedFrames> {
  const { dimensions, input } = model;
  const frames = listFrames(pixels);
  const described = [...frames.entries()].filter(([, frame]) => isDescribed(frame));
  const values = await session.describe(described.map(([, frame]) => ({ pixels: frame })));
  const vectors = new Int8Array(frames.length * dimensions);
  const scales = new Float32Array(frames.length);
  for (const [from, [to]] of described.entries()) {
    const vector = values.subarray(from * dimensions, (from + 1) * dimensions);
    scales[to] = quantise(vector, vectors.subarray(to * dimensions, (to + 1) * dimensions));
  }
  const { bytes } = frameThumbnailSize;
  const thumbnails = new Uint8Array(frames.length * bytes);
  for (const [at, frame] of frames.entries())
    writeFrameThumbnail(frame, input.width, input.height, thumbnails.subarray(at * bytes, (at + 1) * bytes));
  return { vectors, scales, thumbnails };
}

function listFrames(pixels: Uint8Array): Uint8Array[] {
  const frameBytes = model.input.width * model.input.height * 3;
  const count = pixels.length / frameBytes;
  return Array.from({ length: count }, (_, at) => pixels.subarray(at * frameBytes, (at + 1) * frameBytes));
}
