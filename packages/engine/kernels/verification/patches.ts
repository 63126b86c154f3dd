// Patches of an image: sampling, local normalisation, and the comparison of two patches.

import {
  COARSE_HEIGHT,
  COARSE_WIDTH,
  FINE_HEIGHT,
  FINE_WIDTH,
  LEVEL_BYTES,
  LEVELS,
  PLANE_BYTES,
  PLANE_LEFT,
  PLANE_STRIDE,
  PLANES,
  PROJECTION,
  patchAt,
  RESULTS,
  ROW_SUM_BYTES,
  ROW_SUMS,
  THUMBNAIL,
  VALID_AT,
} from "./layout";

/** Brightness that is subtracted before squares are summed, so that floats are precise enough. */
const MIDDLE: f32 = 128;

/**
 * Fills a patch, which spans -0.5 .. 0.5, with the projected part of a level of the image, two values at a
 * time. A pixel beyond the last column or row is read with a share of zero.
 */
export function sample(patch: u32, width: u32, height: u32, level: u32): void {
  const entry = LEVELS + level * LEVEL_BYTES;
  const pixels = load<u32>(entry);
  const imageWidth = load<u32>(entry, 4);
  const stride = imageWidth << 2;
  const lastX = <f64>(imageWidth - 1);
  const lastY = <f64>(load<u32>(entry, 8) - 1);
  const mostX = f64x2.splat(lastX);
  const mostY = f64x2.splat(lastY);
  const limitX = f64x2.splat(lastX + 0.75);
  const limitY = f64x2.splat(lastY + 0.75);
  const least = f64x2.splat(-0.75);
  const zero = f64x2.splat(0);
  const half = f64x2.splat(0.5);
  const one = f32x4.splat(1);
  // A sum of 2^52 and an integer has the integer in its low bits.
  const integer = f64x2.splat(4503599627370496);
  const factor = f64x2.splat(1 / <f64>((<u32>1) << level));
  const p0 = f64x2.splat(load<f64>(PROJECTION) / <f64>width);
  const p3 = f64x2.splat(load<f64>(PROJECTION, 24) / <f64>width);
  const p6 = load<f64>(PROJECTION, 48) / <f64>width;
  const isAffine = p6 === 0 && load<f64>(PROJECTION, 56) === 0 && load<f64>(PROJECTION, 64) === 1;
  const firstX = 0.5 - 0.5 * <f64>width;
  for (let row: u32 = 0; row < height; row++) {
    // The second value of an odd last column is replaced by the next row.
    let to = patchAt(patch) + ((row * width) << 2);
    const y = (<f64>row + 0.5) / <f64>height - 0.5;
    const rowX = f64x2.splat(load<f64>(PROJECTION, 8) * y + load<f64>(PROJECTION, 16));
    const rowY = f64x2.splat(load<f64>(PROJECTION, 32) * y + load<f64>(PROJECTION, 40));
    const rowDepth = f64x2.splat(load<f64>(PROJECTION, 56) * y + load<f64>(PROJECTION, 64));
    for (let column: u32 = 0; column < width; column += 2, to += 8) {
      const x = f64x2(<f64>column + firstX, <f64>(column + 1) + firstX);
      const depth = f64x2.add(f64x2.mul(f64x2.splat(p6), x), rowDepth);
      const scale = isAffine ? factor : f64x2.div(factor, depth);
      const sx = f64x2.sub(f64x2.mul(f64x2.add(f64x2.mul(p0, x), rowX), scale), half);
      const sy = f64x2.sub(f64x2.mul(f64x2.add(f64x2.mul(p3, x), rowY), scale), half);
      const isInX = v128.and(f64x2.ge(sx, least), f64x2.le(sx, limitX));
      const isInY = v128.and(f64x2.ge(sy, least), f64x2.le(sy, limitY));
      const isValid = v128.and(v128.and(f64x2.gt(depth, zero), isInX), isInY);
      const atX = f64x2.pmin(mostX, f64x2.pmax(zero, sx));
      const atY = f64x2.pmin(mostY, f64x2.pmax(zero, sy));
      const left = f64x2.floor(atX);
      const top = f64x2.floor(atY);
      const shareX = f32x4.demote_f64x2_zero(f64x2.sub(atX, left));
      const shareY = f32x4.demote_f64x2_zero(f64x2.sub(atY, top));
      const lefts = f64x2.add(left, integer);
      const tops = f64x2.add(top, integer);
      const first =
        pixels + <u32>i32x4.extract_lane(tops, 0) * stride + ((<u32>i32x4.extract_lane(lefts, 0)) << 2);
      const second =
        pixels + <u32>i32x4.extract_lane(tops, 2) * stride + ((<u32>i32x4.extract_lane(lefts, 2)) << 2);
      const above = v128.load64_lane(second, v128.load64_zero(first), 1);
      const below = v128.load64_lane(second + stride, v128.load64_zero(first + stride), 1);
      const leftPixels = f32x4.shuffle(above, below, 0, 2, 4, 6);
      const rightPixels = f32x4.shuffle(above, below, 1, 3, 5, 7);
      const across = f32x4.mul(f32x4.sub(rightPixels, leftPixels), f32x4.shuffle(shareX, shareX, 0, 1, 0, 1));
      const mixed = f32x4.add(leftPixels, across);
      const lower = f32x4.shuffle(mixed, mixed, 2, 3, 2, 3);
      const value = f32x4.add(mixed, f32x4.mul(f32x4.sub(lower, mixed), shareY));
      const mask = i32x4.shuffle(isValid, isValid, 0, 2, 0, 2);
      v128.store64_lane(to, v128.and(value, mask), 0);
      v128.store64_lane(to + VALID_AT, v128.and(one, mask), 0);
    }
  }
}

/**
 * Fills the patches of the frame at both sizes with the thumbnail, as a mirrored or inverted view shows it.
 */
export function readThumbnail(isMirrored: bool, isInverted: bool): void {
  const fine = patchAt(0);
  let byte = THUMBNAIL;
  const turn: u32 = isInverted ? 15 : 0;
  for (let row: u32 = 0; row < FINE_HEIGHT; row++) {
    const line = fine + ((row * FINE_WIDTH) << 2);
    for (let column: u32 = 0; column < FINE_WIDTH; column += 2, byte++) {
      const pair = <u32>load<u8>(byte);
      const first = <f32>((pair >> 4) ^ turn) * 17;
      const second = <f32>((pair & 15) ^ turn) * 17;
      const to = line + ((isMirrored ? FINE_WIDTH - 2 - column : column) << 2);
      store<f32>(to, isMirrored ? second : first);
      store<f32>(to, isMirrored ? first : second, 4);
    }
  }
  const coarse = patchAt(1);
  for (let at: u32 = 0; at < COARSE_WIDTH * COARSE_HEIGHT; at++) {
    const upper = fine + (((at / COARSE_WIDTH) * 2 * FINE_WIDTH + (at % COARSE_WIDTH) * 2) << 2);
    const lower = upper + (FINE_WIDTH << 2);
    const sum = load<f32>(upper) + load<f32>(upper, 4) + load<f32>(lower) + load<f32>(lower, 4);
    store<f32>(coarse + (at << 2), sum / 4);
  }
  setValid(fine, FINE_WIDTH * FINE_HEIGHT);
  setValid(coarse, COARSE_WIDTH * COARSE_HEIGHT);
}

function setValid(patch: u32, count: u32): void {
  const one = f32x4.splat(1);
  for (let at = patch + VALID_AT; at < patch + VALID_AT + (count << 2); at += 16) v128.store(at, one);
}

/** Returns the standard deviation of the valid values of a patch of `count` values, a multiple of 4. */
export function deviation(patch: u32, count: u32): f64 {
  const from = patchAt(patch);
  const middle = f32x4.splat(MIDDLE);
  let sum = f32x4.splat(0);
  let squares = f32x4.splat(0);
  let valid = f32x4.splat(0);
  let at = from;
  for (const end = from + ((count & ~3) << 2); at < end; at += 16) {
    const isValid = v128.load(at + VALID_AT);
    const value = f32x4.mul(f32x4.sub(v128.load(at), middle), isValid);
    sum = f32x4.add(sum, value);
    squares = f32x4.add(squares, f32x4.mul(value, value));
    valid = f32x4.add(valid, isValid);
  }
  let total = lanes(sum);
  let power = lanes(squares);
  let number = lanes(valid);
  for (const end = from + (count << 2); at < end; at += 4) {
    const isValid = <f64>load<f32>(at + VALID_AT);
    const value = <f64>(load<f32>(at) - MIDDLE) * isValid;
    total += value;
    power += value * value;
    number += isValid;
  }
  if (number === 0) return 0;
  const mean = total / number;
  return sqrt(max<f64>(0, power / number - mean * mean));
}

/**
 * Subtracts the mean of a window around each value and divides by its deviation plus `softness`. `reach`:
 * radius of the window, at most 3.
 */
export function normalise(patch: u32, width: u32, height: u32, reach: u32, softness: f32): void {
  fillPlanes(patch, width, height, reach);
  const soft = f32x4.splat(softness);
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  const vectors = (width + 3) >> 2;
  for (let row: u32 = 0; row < height; row++) {
    sumRows(row, reach, vectors);
    const to = patchAt(patch) + ((row * width) << 2);
    const plane = PLANES + (((row + reach) * PLANE_STRIDE + PLANE_LEFT) << 2);
    const sums = ROW_SUMS + (PLANE_LEFT << 2);
    for (let vector: u32 = 0; vector < vectors; vector++) {
      const at = vector << 4;
      let sum = none;
      let square = none;
      let count = none;
      let from = sums + at - (reach << 2);
      for (let step: u32 = 0; step <= reach << 1; step++, from += 4) {
        sum = f32x4.add(sum, v128.load(from));
        square = f32x4.add(square, v128.load(from + ROW_SUM_BYTES));
        count = f32x4.add(count, v128.load(from + 2 * ROW_SUM_BYTES));
      }
      const share = f32x4.div(one, f32x4.max(count, one));
      const mean = f32x4.mul(sum, share);
      const variance = f32x4.sub(f32x4.mul(square, share), f32x4.mul(mean, mean));
      const spread = f32x4.add(f32x4.sqrt(f32x4.max(variance, none)), soft);
      const isValid = v128.load(plane + at + 2 * PLANE_BYTES);
      const value = f32x4.mul(f32x4.div(f32x4.sub(v128.load(plane + at), mean), spread), isValid);
      if ((vector << 2) + 4 <= width) {
        v128.store(to + at, value);
        continue;
      }
      const left = width - (vector << 2);
      store<f32>(to + at, f32x4.extract_lane(value, 0));
      if (left > 1) store<f32>(to + at, f32x4.extract_lane(value, 1), 4);
      if (left > 2) store<f32>(to + at, f32x4.extract_lane(value, 2), 8);
    }
  }
}

/** Copies the valid values of a patch, their squares and the validity into planes with zeros around them. */
function fillPlanes(patch: u32, width: u32, height: u32, reach: u32): void {
  for (let plane: u32 = 0; plane < 3; plane++)
    memory.fill(PLANES + plane * PLANE_BYTES, 0, ((height + 2 * reach) * PLANE_STRIDE) << 2);
  const from = patchAt(patch);
  const middle = f32x4.splat(MIDDLE);
  for (let row: u32 = 0; row < height; row++) {
    let at = from + ((row * width) << 2);
    let to = PLANES + (((row + reach) * PLANE_STRIDE + PLANE_LEFT) << 2);
    const end = at + (width << 2);
    for (const last = at + ((width & ~3) << 2); at < last; at += 16, to += 16) {
      const isValid = v128.load(at + VALID_AT);
      const value = f32x4.mul(f32x4.sub(v128.load(at), middle), isValid);
      v128.store(to, value);
      v128.store(to + PLANE_BYTES, f32x4.mul(value, value));
      v128.store(to + 2 * PLANE_BYTES, isValid);
    }
    for (; at < end; at += 4, to += 4) {
      const isValid = load<f32>(at + VALID_AT);
      const value = (load<f32>(at) - MIDDLE) * isValid;
      store<f32>(to, value);
      store<f32>(to + PLANE_BYTES, value * value);
      store<f32>(to + 2 * PLANE_BYTES, isValid);
    }
  }
}

/** Adds the rows of the windows around a row. */
function sumRows(row: u32, reach: u32, vectors: u32): void {
  const first = PLANES + ((row * PLANE_STRIDE + PLANE_LEFT - 4) << 2);
  const into = ROW_SUMS + ((PLANE_LEFT - 4) << 2);
  for (let at: u32 = 0; at < (vectors + 2) << 4; at += 16) {
    let sum = f32x4.splat(0);
    let square = f32x4.splat(0);
    let count = f32x4.splat(0);
    let from = first + at;
    for (let step: u32 = 0; step <= reach << 1; step++, from += PLANE_STRIDE << 2) {
      sum = f32x4.add(sum, v128.load(from));
      square = f32x4.add(square, v128.load(from + PLANE_BYTES));
      count = f32x4.add(count, v128.load(from + 2 * PLANE_BYTES));
    }
    v128.store(into + at, sum);
    v128.store(into + at + ROW_SUM_BYTES, square);
    v128.store(into + at + 2 * ROW_SUM_BYTES, count);
  }
}

/**
 * Compares a frame with a patch of the same size where the patch is valid: writes the sum of products, the
 * powers of both, and the number of compared values. `count` is a multiple of 4.
 */
export function compare(frame: u32, patch: u32, count: u32): void {
  const a = patchAt(frame);
  const b = patchAt(patch);
  let product = f32x4.splat(0);
  let powerOfFrame = f32x4.splat(0);
  let powerOfPatch = f32x4.splat(0);
  let valid = f32x4.splat(0);
  for (let at: u32 = 0; at < count << 2; at += 16) {
    const isValid = v128.load(b + at + VALID_AT);
    const one = f32x4.mul(v128.load(a + at), isValid);
    const other = v128.load(b + at);
    product = f32x4.add(product, f32x4.mul(one, other));
    powerOfFrame = f32x4.add(powerOfFrame, f32x4.mul(one, one));
    powerOfPatch = f32x4.add(powerOfPatch, f32x4.mul(other, other));
    valid = f32x4.add(valid, isValid);
  }
  store<f64>(RESULTS, lanes(product));
  store<f64>(RESULTS, lanes(powerOfFrame), 8);
  store<f64>(RESULTS, lanes(powerOfPatch), 16);
  store<f64>(RESULTS, lanes(valid), 24);
}

export function lanes(sum: v128): f64 {
  return (
    <f64>f32x4.extract_lane(sum, 0) +
    <f64>f32x4.extract_lane(sum, 1) +
    <f64>f32x4.extract_lane(sum, 2) +
    <f64>f32x4.extract_lane(sum, 3)
  );
}
