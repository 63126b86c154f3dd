import { workerData } from "node:worker_threads";
import { openDescriptorSession } from "./descriptor-session.ts";
import type { DescribedFrames } from "./episode/episode-builder.ts";
import { enlargeRegions } from "./episode/frame-regions.ts";
import { frameThumbnailSize, writeFrameThumbnail } from "./episode/frame-thumbnail.ts";
import { quantise } from "./episode/quantise.ts";
import { createThumbnail, isFlatThumbnail } from "./episode/thumbnail.ts";
import { type DecodedImage, decodeImage } from "./image/decode-image.ts";
import { type DescribeOptions, describeFurtherViews, describeImage } from "./image/describe-image.ts";
import type { ImageDescription } from "./image/image-description.ts";
import { ImageError, type ImageErrorCode } from "./image/image-error.ts";
import type { Model } from "./model.ts";

/** What a worker thread of the engine is asked: to describe a picture file, frames of the model's input size, or one's regions. */
export type DescribeTask =
  | ({ kind: "picture"; bytes: Uint8Array } & DescribeOptions)
  | { kind: "furtherViews"; decoded: DecodedImage }
  | { kind: "frames" | "regions"; pixels: Uint8Array };

/** The answer to a picture: errors travel as data because their class is lost between threads. */
export type ImageResult =
  | { description: ImageDescription; decoded: DecodedImage }
  | { refused: { code: ImageErrorCode; message: string } };

const { model, loaded }: { model: Model; loaded: Int32Array } = workerData;
const session = await openDescriptorSession(model);
Atomics.add(loaded, 0, 1);

/** The entry of a worker thread; knows no state but the loaded model. */
export default async function describe(task: DescribeTask): Promise<DescribedFrames | ImageResult> {
  if (task.kind === "picture") return processImage(task);
  if (task.kind === "furtherViews") {
    const { decoded } = task;
    return { description: await describeFurtherViews(model, session, decoded), decoded };
  }
  const { width, height } = model.input;
  if (task.kind === "frames") return processFrames(task.pixels);
  const regions = enlargeRegions(task.pixels, width, height);
  return withoutFlat(regions, await processFrames(regions));
}

async function processImage({ bytes, isThorough }: DescribeTask & { kind: "picture" }): Promise<ImageResult> {
  try {
    const decoded = await decodeImage(bytes);
    return { description: await describeImage(model, session, decoded, { isThorough }), decoded };
  } catch (error) {
    if (error instanceof ImageError) return { refused: { code: error.code, message: error.message } };
    throw error;
  }
}

/** A region with hardly anything in it is like every other one: it gets a vector of zeros. */
function withoutFlat(pixels: Uint8Array, described: DescribedFrames): DescribedFrames {
  const { width, height } = model.input;
  const { vectors, scales } = described;
  for (let region = 0; region < scales.length; region++) {
    const own = pixels.subarray(region * width * height * 3, (region + 1) * width * height * 3);
    if (!isFlatThumbnail(createThumbnail(own, width, height))) continue;
    vectors.fill(0, region * model.dimensions, (region + 1) * model.dimensions);
    scales[region] = 0;
  }
  return described;
}

async function processFrames(pixels: Uint8Array): Promise<DescribedFrames> {
  const values = await session.describe(pixels);
  const { dimensions } = model;
  const count = values.length / dimensions;
  const vectors = new Int8Array(values.length);
  const scales = new Float32Array(count);
  const thumbnails = new Uint8Array(count * frameThumbnailSize.bytes);
  const { width, height } = model.input;
  for (let frame = 0; frame < count; frame++) {
    const partOf = <T extends Float32Array | Int8Array | Uint8Array>(all: T, size: number) =>
      all.subarray(frame * size, (frame + 1) * size) as T;
    scales[frame] = quantise(partOf(values, dimensions), partOf(vectors, dimensions));
    const frameOfBatch = partOf(pixels, width * height * 3);
    writeFrameThumbnail(frameOfBatch, width, height, partOf(thumbnails, frameThumbnailSize.bytes));
  }
  return { vectors, scales, thumbnails };
}
