import { workerData } from "node:worker_threads";
import { openDescriptorSession } from "./descriptor-session.ts";
import type { DescribedFrames } from "./episode/episode-builder.ts";
import { frameThumbnailSize, writeFrameThumbnail } from "./episode/frame-thumbnail.ts";
import { quantise } from "./episode/quantise.ts";
import type { Model } from "./model.ts";
import { type DescribeOptions, describePicture } from "./picture/describe-picture.ts";
import type { PictureDescription } from "./picture/picture-description.ts";
import { PictureError, type PictureErrorCode } from "./picture/picture-error.ts";

/** What a worker thread of the engine is asked: to describe a picture file, or frames of the model's input size. */
export type DescribeTask =
  | ({ kind: "picture"; bytes: Uint8Array } & DescribeOptions)
  | { kind: "frames"; pixels: Uint8Array };

/** The answer to a picture: errors travel as data because their class is lost between threads. */
export type PictureAnswer =
  | { description: PictureDescription }
  | { refused: { code: PictureErrorCode; message: string } };

const { model }: { model: Model } = workerData;
const session = await openDescriptorSession(model);

/** The entry of a worker thread; knows no state but the loaded model. */
export default async function describe(task: DescribeTask): Promise<DescribedFrames | PictureAnswer> {
  return task.kind === "picture" ? answerPicture(task) : answerFrames(task.pixels);
}

async function answerPicture({
  bytes,
  isThorough,
}: DescribeTask & { kind: "picture" }): Promise<PictureAnswer> {
  try {
    return { description: await describePicture(model, session, bytes, { isThorough }) };
  } catch (error) {
    if (error instanceof PictureError) return { refused: { code: error.code, message: error.message } };
    throw error;
  }
}

async function answerFrames(pixels: Uint8Array): Promise<DescribedFrames> {
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
