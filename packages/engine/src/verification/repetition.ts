import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";

/** Brightness of a frame and of an image at the same pixels, 40 by 24; `isValid` is 1 where the image has the pixel. */
export type ComparedPixels = { frame: Float32Array; image: Float32Array; isValid: Uint8Array };

const { width: WIDTH, height: HEIGHT } = frameThumbnailSize;
const PIXELS = WIDTH * HEIGHT;
const TABLE_WIDTH = WIDTH + 1;
const REACH = 3;
/** Deviation of brightness below which a window counts as blank. */
const SOFTNESS = 8;
/** Shorter shifts keep the outlines of any frame. */
const LEAST_SHIFT = 4;
const MOST_SHIFT = { x: 14, y: 9 };
/** Rays stay the same where they are enlarged. */
const ENLARGEMENT = 1.4;
const MOST_ENLARGED_SHIFT = { x: 8, y: 4 };
const everywhere = new Uint8Array(PIXELS).fill(1);
/** A shift that compares a smaller part of the shown pixels is no evidence. */
const LEAST_COMPARED = 0.35;

/** Agreement of an image and a frame: correlations after local normalisation, -1..1. */
export type Agreement = {
  agreement: number;
  /** The largest one after a shift. */
  shiftedAgreement: number;
  /** `measureRepetition` of the part of the frame that the image shows. */
  repetition: number;
};

/**
 * Returns the largest correlation of a frame and itself after a shift or an enlargement, after local
 * normalisation, -1..1; a quick estimate. Stripes, checks and rays agree with themselves at other positions or sizes, so that
 * any image of such a pattern agrees with any frame of one.
 */
export function measureRepetition(frame: Float32Array): number {
  const ofFrame = normalise(frame, everywhere);
  return Math.max(
    bestOfShifts(ofFrame, ofFrame, everywhere, 1),
    bestOfEnlarged(frame, ofFrame, everywhere, 2),
  );
}

/** Compares an image with a frame, and with the frame after shifts. */
export function measureShiftedAgreement({ frame, image, isValid }: ComparedPixels): Agreement {
  const ofFrame = normalise(frame, everywhere);
  const ofImage = normalise(image, isValid);
  return {
    agreement: correlate(ofImage, ofFrame, isValid, 0, 0),
    shiftedAgreement: Math.max(
      bestOfShifts(ofImage, ofFrame, isValid, 1),
      bestOfShifts(ofImage, ofFrame, isValid, -1),
    ),
    repetition: Math.max(
      bestOfShifts(ofFrame, ofFrame, isValid, 1),
      bestOfEnlarged(frame, ofFrame, isValid, 1),
    ),
  };
}

/** Shifts along an axis are tried by pixels, the others by two. `sign` is that of the shifts down. */
function bestOfShifts(one: Float32Array, other: Float32Array, isValid: Uint8Array, sign: 1 | -1): number {
  let best = 0;
  for (let y = 0; y <= MOST_SHIFT.y; y++) {
    for (let x = -MOST_SHIFT.x; x <= MOST_SHIFT.x; x++) {
      if (y < LEAST_SHIFT && Math.abs(x) < LEAST_SHIFT) continue;
      if (x !== 0 && y !== 0 && (x % 2 !== 0 || y % 2 !== 0)) continue;
      best = Math.max(best, correlate(one, other, isValid, x, sign * y));
    }
  }
  return best;
}

/** Tries every `step`th shift. */
function bestOfEnlarged(
  frame: Float32Array,
  ofFrame: Float32Array,
  isValid: Uint8Array,
  step: number,
): number {
  const enlarged = normalise(enlarge(frame), everywhere);
  let best = 0;
  for (let y = -MOST_ENLARGED_SHIFT.y; y <= MOST_ENLARGED_SHIFT.y; y += step)
    for (let x = -MOST_ENLARGED_SHIFT.x; x <= MOST_ENLARGED_SHIFT.x; x += step)
      best = Math.max(best, correlate(ofFrame, enlarged, isValid, x, y));
  return best;
}

/** Returns the correlation of the valid pixels of a map with another map after a shift; 0 for too few pixels. */
function correlate(
  one: Float32Array,
  other: Float32Array,
  isValid: Uint8Array,
  shiftX: number,
  shiftY: number,
): number {
  let product = 0;
  let powerOfOne = 0;
  let powerOfOther = 0;
  let compared = 0;
  const [left, right] = [Math.max(0, -shiftX), Math.min(WIDTH, WIDTH - shiftX)];
  const [top, bottom] = [Math.max(0, -shiftY), Math.min(HEIGHT, HEIGHT - shiftY)];
  const shift = shiftY * WIDTH + shiftX;
  for (let y = top; y < bottom; y++) {
    for (let at = y * WIDTH + left; at < y * WIDTH + right; at++) {
      const weight = isValid[at] ?? 0;
      const a = (one[at] ?? 0) * weight;
      const b = (other[at + shift] ?? 0) * weight;
      product += a * b;
      powerOfOne += a * a;
      powerOfOther += b * b;
      compared += weight;
    }
  }
  const valid = isValid === everywhere ? PIXELS : countValid(isValid);
  return compared < LEAST_COMPARED * valid ? 0 : product / Math.sqrt(powerOfOne * powerOfOther + 1e-6);
}

function countValid(isValid: Uint8Array): number {
  let count = 0;
  for (const one of isValid) count += one;
  return count;
}

/** Subtracts the mean of the window around each valid pixel and divides by its deviation. */
function normalise(values: Float32Array, isValid: Uint8Array): Float32Array {
  const counts = sumTable(isValid);
  const sums = sumTable(values.map((value, at) => value * (isValid[at] ?? 0)));
  const squares = sumTable(values.map((value, at) => value * value * (isValid[at] ?? 0)));
  const normalised = new Float32Array(PIXELS);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    const upper = Math.max(0, y - REACH) * TABLE_WIDTH;
    const lower = Math.min(HEIGHT, y + REACH + 1) * TABLE_WIDTH;
    for (let x = 0; x < WIDTH; x++, at++) {
      if (isValid[at] !== 1) continue;
      const [left, right] = [Math.max(0, x - REACH), Math.min(WIDTH, x + REACH + 1)];
      const inWindow = (table: Float64Array) =>
        (table[lower + right] ?? 0) -
        (table[lower + left] ?? 0) -
        (table[upper + right] ?? 0) +
        (table[upper + left] ?? 0);
      const count = inWindow(counts);
      const mean = inWindow(sums) / count;
      const deviation = Math.sqrt(Math.max(0, inWindow(squares) / count - mean * mean));
      normalised[at] = ((values[at] ?? 0) - mean) / (deviation + SOFTNESS);
    }
  }
  return normalised;
}

/** Returns the sums of the values above and to the left of each corner of a pixel (summed-area table, Crow 1984). */
function sumTable(values: ArrayLike<number>): Float64Array {
  const table = new Float64Array(TABLE_WIDTH * (HEIGHT + 1));
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    let row = 0;
    for (let x = 0; x < WIDTH; x++, at++) {
      row += values[at] ?? 0;
      const to = (y + 1) * TABLE_WIDTH + x + 1;
      table[to] = (table[to - TABLE_WIDTH] ?? 0) + row;
    }
  }
  return table;
}

/** Enlarges the middle of a frame to its whole size, interpolated bilinearly. */
function enlarge(values: Float32Array): Float32Array {
  const enlarged = new Float32Array(PIXELS);
  for (let y = 0; y < HEIGHT; y++) {
    const fromY = (y - (HEIGHT - 1) / 2) / ENLARGEMENT + (HEIGHT - 1) / 2;
    const top = Math.floor(fromY);
    for (let x = 0; x < WIDTH; x++) {
      const fromX = (x - (WIDTH - 1) / 2) / ENLARGEMENT + (WIDTH - 1) / 2;
      const first = top * WIDTH + Math.floor(fromX);
      const share = fromX - Math.floor(fromX);
      const upper = (values[first] ?? 0) * (1 - share) + (values[first + 1] ?? 0) * share;
      const lower = (values[first + WIDTH] ?? 0) * (1 - share) + (values[first + WIDTH + 1] ?? 0) * share;
      enlarged[y * WIDTH + x] = upper + (lower - upper) * (fromY - top);
    }
  }
  return enlarged;
}
