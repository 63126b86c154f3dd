import { resize } from "../quality/raster/geometry.ts";
import { decodeRaster } from "../quality/raster/raster.ts";
import { lumaOf } from "../quality/raster/tone.ts";
import type { Found } from "../quality/systems/system.ts";
import { type FramesOfVideo, greySize } from "./read-frames.ts";
import type { EditedImage, ShownPart } from "./time-edits.ts";

const candidateCount = 400;
const resultCount = 5;
const nearSeconds = 1;
const fitRounds = 3;
/** A residual above this is no part of the fit: captions, covers. */
const largestFitted = 30;
/** Pixels of 160 by 90 per pixel of the selection of candidates. */
const reduction = 5;
const coarseSize = { width: greySize.width / reduction, height: greySize.height / reduction };

/** An image in the coordinates of a frame; `isValid` where the image shows the frame. */
type AlignedImage = { values: Float32Array; isValid: Uint8Array };

type Candidate = { video: FramesOfVideo; frame: number; score: number };

/**
 * The limit of what grey values of every frame give: exact search by normalised correlation at 32 by 18, then
 * the smallest mean absolute residual at 160 by 90 after a robust fit of gain and offset. The shown part is
 * known.
 */
export function createReferenceSystem(videos: readonly FramesOfVideo[]) {
  const coarse = videos.map((video) => ({ video, values: reduceFrames(video) }));
  return {
    async search(image: EditedImage): Promise<Found[]> {
      const aligned = await alignImage(image.bytes, image.part);
      const ranked = findCandidates(coarse, reduceAligned(aligned))
        .map(({ video, frame }) => ({ video, frame, score: -residualOf(aligned, video, frame) }))
        .sort((a, b) => b.score - a.score);
      return distinct(ranked).map(toFound);
    },
  };
}

async function alignImage(bytes: Uint8Array, { left, top, right, bottom }: ShownPart): Promise<AlignedImage> {
  const { width, height } = greySize;
  const [x0, y0] = [Math.round(left * width), Math.round(top * height)];
  const [x1, y1] = [Math.round(right * width), Math.round(bottom * height)];
  const { pixels } = await resize(await decodeRaster(bytes), x1 - x0, y1 - y0);
  const aligned = { values: new Float32Array(width * height), isValid: new Uint8Array(width * height) };
  for (let y = y0, from = 0; y < y1; y++) {
    for (let x = x0; x < x1; x++, from += 3) {
      aligned.values[y * width + x] = lumaOf(pixels[from] ?? 0, pixels[from + 1] ?? 0, pixels[from + 2] ?? 0);
      aligned.isValid[y * width + x] = 1;
    }
  }
  return aligned;
}

function reduceFrames({ grey, atSeconds }: FramesOfVideo): Uint8Array {
  const size = coarseSize.width * coarseSize.height;
  const pixels = greySize.width * greySize.height;
  const reduced = new Uint8Array(atSeconds.length * size);
  for (let frame = 0; frame < atSeconds.length; frame++)
    reduced.set(reduceValues(grey.subarray(frame * pixels, (frame + 1) * pixels)), frame * size);
  return reduced;
}

function reduceAligned({ values, isValid }: AlignedImage): AlignedImage {
  const shares = reduceValues(Float32Array.from(isValid));
  return { values: reduceValues(values), isValid: Uint8Array.from(shares, (share) => Number(share > 0.99)) };
}

function reduceValues(values: ArrayLike<number>): Float32Array {
  const reduced = new Float32Array(coarseSize.width * coarseSize.height);
  for (let at = 0; at < values.length; at++) {
    const [x, y] = [at % greySize.width, Math.floor(at / greySize.width)];
    const to = Math.floor(y / reduction) * coarseSize.width + Math.floor(x / reduction);
    reduced[to] = (reduced[to] ?? 0) + (values[at] ?? 0) / reduction ** 2;
  }
  return reduced;
}

function findCandidates(
  coarse: readonly { video: FramesOfVideo; values: Uint8Array }[],
  image: AlignedImage,
): Candidate[] {
  const valid = [...image.isValid.keys()].filter((at) => image.isValid[at] === 1);
  const mean = valid.reduce((sum, at) => sum + (image.values[at] ?? 0), 0) / valid.length;
  const centred = Float32Array.from(valid, (at) => (image.values[at] ?? 0) - mean);
  const size = coarseSize.width * coarseSize.height;
  const all = coarse.flatMap(({ video, values }) =>
    video.atSeconds.map((_, frame): Candidate => {
      let [sum, squares, product] = [0, 0, 0];
      for (let i = 0; i < valid.length; i++) {
        const value = values[frame * size + (valid[i] ?? 0)] ?? 0;
        sum += value;
        squares += value * value;
        product += value * (centred[i] ?? 0);
      }
      return { video, frame, score: product / Math.sqrt(squares - (sum * sum) / valid.length + 1) };
    }),
  );
  return all.sort((a, b) => b.score - a.score).slice(0, candidateCount);
}

/** Returns the mean absolute residual after a fit of gain and offset to the values that agree. */
function residualOf({ values, isValid }: AlignedImage, { grey }: FramesOfVideo, frame: number): number {
  const first = frame * values.length;
  let [gain, offset, mean] = [1, 0, 0];
  for (let round = 0; round <= fitRounds; round++) {
    let [n, sumX, sumY, sumXX, sumXY, residuals, compared] = [0, 0, 0, 0, 0, 0, 0];
    for (let at = 0; at < values.length; at++) {
      if (isValid[at] !== 1) continue;
      const [x, y] = [grey[first + at] ?? 0, values[at] ?? 0];
      const residual = Math.abs(gain * x + offset - y);
      residuals += residual;
      compared++;
      if (round > 0 && residual > largestFitted) continue;
      n++;
      sumX += x;
      sumY += y;
      sumXX += x * x;
      sumXY += x * y;
    }
    mean = residuals / compared;
    if (round === fitRounds || n < compared / 4) break;
    const variance = n * sumXX - sumX * sumX;
    gain = variance > 0 ? Math.max(0.3, Math.min(3, (n * sumXY - sumX * sumY) / variance)) : 1;
    offset = (sumY - gain * sumX) / n;
  }
  // In levels of the video, so that a low gain is no advantage.
  return mean / gain;
}

function distinct(ranked: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  for (const one of ranked) {
    if (chosen.length === resultCount) break;
    const isNear = (other: Candidate) =>
      other.video === one.video &&
      Math.abs((one.video.atSeconds[one.frame] ?? 0) - (other.video.atSeconds[other.frame] ?? 0)) <
        nearSeconds;
    if (!chosen.some(isNear)) chosen.push(one);
  }
  return chosen;
}

function toFound({ video, frame, score }: Candidate): Found {
  const timestamp = video.atSeconds[frame] ?? 0;
  const located = { file: video.file, timestamp, from: timestamp, to: timestamp };
  return { ...located, score, similarity: 0, isConfident: false, features: null };
}
