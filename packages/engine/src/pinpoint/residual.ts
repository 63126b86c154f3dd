import { BLOCK_PIXELS } from "../strips/block-transform.ts";
import { BLOCK_COUNT, STRIP_PIXELS } from "../strips/strip-frame.ts";
import { pixelOrder, type Shot } from "./shot-frames.ts";
import type { ShownImage, ShownPixels } from "./shown-image.ts";

/** The brightness of an image from that of a frame: gain and offset. */
export type ToneFit = { gain: number; offset: number };

const ROUNDS = 3;
/** A fit of a whole frame reads every so many pixels; the number shares no factor with its width. */
const FIT_STRIDE = 3;
/** Pixels that differ by more are captions or other content, not tone. */
const LARGEST_FITTED = 30;
const LEAST_GAIN = 0.3;
const LARGEST_GAIN = 3;
const LEAST_PIXELS = 64;
const LARGEST_RESIDUAL = 255;

/** Fits gain and offset to the pixels that agree, by least squares. */
export function fitTone({ values, isValid }: ShownPixels, pixels: ArrayLike<number>): ToneFit {
  const stride = pixels.length < STRIP_PIXELS ? 1 : FIT_STRIDE;
  let gain = 1;
  let offset = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // Not destructured from an array: V8 would allocate each sum again at each pixel.
    let count = 0;
    let sumX = 0;
    let sumY = 0;
    let sumXX = 0;
    let sumXY = 0;
    for (let at = 0; at < pixels.length; at += stride) {
      if (isValid[at] !== 1) continue;
      const x = pixels[at] ?? 0;
      const y = values[at] ?? 0;
      if (round > 0 && Math.abs(gain * x + offset - y) > LARGEST_FITTED) continue;
      count++;
      sumX += x;
      sumY += y;
      sumXX += x * x;
      sumXY += x * y;
    }
    if (count < LEAST_PIXELS) break;
    const variance = count * sumXX - sumX * sumX;
    const slope = variance > 0 ? (count * sumXY - sumX * sumY) / variance : 1;
    gain = Math.max(LEAST_GAIN, Math.min(LARGEST_GAIN, slope));
    offset = (sumY - gain * sumX) / count;
  }
  return { gain, offset };
}

/** Returns the mean absolute difference of image and frame under a fit, in levels of the frame. */
export function residualOf(
  { values, isValid }: ShownPixels,
  pixels: ArrayLike<number>,
  { gain, offset }: ToneFit,
): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < pixels.length; at++) {
    if (isValid[at] !== 1) continue;
    sum += Math.abs(gain * (pixels[at] ?? 0) + offset - (values[at] ?? 0));
    count++;
  }
  return count === 0 ? LARGEST_RESIDUAL : sum / count / gain;
}

/**
 * Returns the mean absolute difference of each drawing of a shot from the image under a fit, in levels of the
 * frame. Only the blocks that change from one drawing to the next are compared again.
 */
export function residualsOf(
  { values, isValid }: ShownImage,
  { drawings, pixels }: Shot,
  { gain, offset }: ToneFit,
): Float64Array {
  const residuals = new Float64Array(drawings.length).fill(LARGEST_RESIDUAL);
  const positions = new Uint8Array(STRIP_PIXELS);
  const targets = new Float32Array(STRIP_PIXELS);
  const ends = new Uint16Array(BLOCK_COUNT);
  let count = 0;
  for (let at = 0; at < STRIP_PIXELS; at++) {
    const pixel = pixelOrder[at] ?? 0;
    if (isValid[pixel] === 1) {
      positions[count] = at % BLOCK_PIXELS;
      targets[count++] = ((values[pixel] ?? 0) - offset) / gain;
    }
    if (at % BLOCK_PIXELS === BLOCK_PIXELS - 1) ends[Math.floor(at / BLOCK_PIXELS)] = count;
  }
  if (count === 0) return residuals;
  const sums = new Float64Array(BLOCK_COUNT);
  let total = 0;
  let before: Uint32Array | undefined;
  for (let drawing = 0; drawing < drawings.length; drawing++) {
    const blocks = drawings[drawing] ?? new Uint32Array(BLOCK_COUNT);
    for (let block = 0, from = 0; block < BLOCK_COUNT; block++) {
      const end = ends[block] ?? 0;
      const first = blocks[block] ?? 0;
      if (before === undefined || before[block] !== first) {
        let sum = 0;
        for (let at = from; at < end; at++)
          sum += Math.abs((pixels[first + (positions[at] ?? 0)] ?? 0) - (targets[at] ?? 0));
        total += sum - (sums[block] ?? 0);
        sums[block] = sum;
      }
      from = end;
    }
    residuals[drawing] = total / count;
    before = blocks;
  }
  return residuals;
}
