// The normal equations of a step of the refinement (Gauss-Newton).

import { patchAt, STEP_FACTORS, STEP_MATRIX, STEP_SUMS, STEP_VECTOR, VALID_AT } from "./layout";
import { lanes } from "./patches";

const PARAMETERS: u32 = 8;
/** Much larger differences (in deviations of a window) belong to an overlay and have a low weight. */
const OUTLIER: f32 = 0.9;
/** Degrees of x in a row: products of slopes have up to 4, those of a slope and a difference up to 2. */
const DEGREES: u32 = 5;

// A slope is the derivative of the image by one parameter: across * f + down * g, where f and g are monomials
// factor * x ^ degree for a given y. A row needs the sums of the products of the derivatives only.
const FACTOR_BYTES: u32 = 16;
/** Sums by degree: across * across, across * down, down * down, then each with the difference. */
const ACROSS: u32 = STEP_SUMS;
const BOTH: u32 = STEP_SUMS + 40;
const DOWN: u32 = STEP_SUMS + 80;
const ACROSS_DIFFERENCE: u32 = STEP_SUMS + 120;
const DOWN_DIFFERENCE: u32 = STEP_SUMS + 160;

/**
 * Writes the normal equations of the first `count` parameters of a projection that fits the patch to the
 * frame; `gain` scales the patch. `width` is a multiple of 4.
 */
export function findStep(frame: u32, patch: u32, width: u32, height: u32, count: u32, gain: f32): void {
  memory.fill(STEP_VECTOR, 0, PARAMETERS << 3);
  memory.fill(STEP_MATRIX, 0, (PARAMETERS * PARAMETERS) << 3);
  const degrees = count > 6 ? DEGREES : 3;
  for (let row: u32 = 1; row < height - 1; row++) {
    const y = (<f64>row + 0.5) / <f64>height - 0.5;
    sumRow(
      patchAt(frame) + ((row * width) << 2),
      patchAt(patch) + ((row * width) << 2),
      width,
      height,
      degrees,
      gain,
    );
    addRow(y, count);
  }
}

function sumRow(frame: u32, patch: u32, width: u32, height: u32, degrees: u32, gain: f32): void {
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  let aa0 = none;
  let aa1 = none;
  let aa2 = none;
  let aa3 = none;
  let aa4 = none;
  let ab0 = none;
  let ab1 = none;
  let ab2 = none;
  let ab3 = none;
  let ab4 = none;
  let bb0 = none;
  let bb1 = none;
  let bb2 = none;
  let bb3 = none;
  let bb4 = none;
  let ad0 = none;
  let ad1 = none;
  let ad2 = none;
  let bd0 = none;
  let bd1 = none;
  let bd2 = none;
  const stride = width << 2;
  const gains = f32x4.splat(gain);
  const across = f32x4.splat((gain * <f32>width) / 2);
  const down = f32x4.splat((gain * <f32>height) / 2);
  const share = f32x4.splat(1 / <f32>width);
  const weightOf = f32x4.splat(1 / (OUTLIER * OUTLIER));
  let column = f32x4(0.5, 1.5, 2.5, 3.5);
  const half = f32x4.splat(0.5);
  const four = f32x4.splat(4);
  for (let at: u32 = 0; at < stride; at += 16) {
    const x = f32x4.sub(f32x4.mul(column, share), half);
    column = f32x4.add(column, four);
    const here = patch + at;
    let isInside = f32x4.mul(v128.load(here + VALID_AT), v128.load(here + VALID_AT - 4));
    isInside = f32x4.mul(isInside, v128.load(here + VALID_AT + 4));
    isInside = f32x4.mul(isInside, v128.load(here + VALID_AT - stride));
    isInside = f32x4.mul(isInside, v128.load(here + VALID_AT + stride));
    // The first and the last column have no neighbour.
    if (at === 0) isInside = f32x4.replace_lane(isInside, 0, 0);
    if (at + 16 === stride) isInside = f32x4.replace_lane(isInside, 3, 0);
    const difference = f32x4.sub(v128.load(frame + at), f32x4.mul(gains, v128.load(here)));
    const outlier = f32x4.add(one, f32x4.mul(f32x4.mul(difference, difference), weightOf));
    const weight = f32x4.div(isInside, outlier);
    const a = f32x4.mul(across, f32x4.sub(v128.load(here + 4), v128.load(here - 4)));
    const b = f32x4.mul(down, f32x4.sub(v128.load(here + stride), v128.load(here - stride)));
    const wa = f32x4.mul(weight, a);
    const wb = f32x4.mul(weight, b);
    let aa = f32x4.mul(wa, a);
    let ab = f32x4.mul(wa, b);
    let bb = f32x4.mul(wb, b);
    let ad = f32x4.mul(wa, difference);
    let bd = f32x4.mul(wb, difference);
    aa0 = f32x4.add(aa0, aa);
    ab0 = f32x4.add(ab0, ab);
    bb0 = f32x4.add(bb0, bb);
    ad0 = f32x4.add(ad0, ad);
    bd0 = f32x4.add(bd0, bd);
    aa = f32x4.mul(aa, x);
    ab = f32x4.mul(ab, x);
    bb = f32x4.mul(bb, x);
    ad = f32x4.mul(ad, x);
    bd = f32x4.mul(bd, x);
    aa1 = f32x4.add(aa1, aa);
    ab1 = f32x4.add(ab1, ab);
    bb1 = f32x4.add(bb1, bb);
    ad1 = f32x4.add(ad1, ad);
    bd1 = f32x4.add(bd1, bd);
    aa = f32x4.mul(aa, x);
    ab = f32x4.mul(ab, x);
    bb = f32x4.mul(bb, x);
    aa2 = f32x4.add(aa2, aa);
    ab2 = f32x4.add(ab2, ab);
    bb2 = f32x4.add(bb2, bb);
    if (degrees < DEGREES) continue;
    ad2 = f32x4.add(ad2, f32x4.mul(ad, x));
    bd2 = f32x4.add(bd2, f32x4.mul(bd, x));
    aa = f32x4.mul(aa, x);
    ab = f32x4.mul(ab, x);
    bb = f32x4.mul(bb, x);
    aa3 = f32x4.add(aa3, aa);
    ab3 = f32x4.add(ab3, ab);
    bb3 = f32x4.add(bb3, bb);
    aa4 = f32x4.add(aa4, f32x4.mul(aa, x));
    ab4 = f32x4.add(ab4, f32x4.mul(ab, x));
    bb4 = f32x4.add(bb4, f32x4.mul(bb, x));
  }
  put(ACROSS, aa0, aa1, aa2, aa3, aa4);
  put(BOTH, ab0, ab1, ab2, ab3, ab4);
  put(DOWN, bb0, bb1, bb2, bb3, bb4);
  put(ACROSS_DIFFERENCE, ad0, ad1, ad2, none, none);
  put(DOWN_DIFFERENCE, bd0, bd1, bd2, none, none);
}

function put(to: u32, s0: v128, s1: v128, s2: v128, s3: v128, s4: v128): void {
  store<f64>(to, lanes(s0));
  store<f64>(to, lanes(s1), 8);
  store<f64>(to, lanes(s2), 16);
  store<f64>(to, lanes(s3), 24);
  store<f64>(to, lanes(s4), 32);
}

/** Adds the sums of a row. The slopes are across * (x, y, 1), down * (x, y, 1) and two of the perspective. */
function addRow(y: f64, count: u32): void {
  setFactors(0, 1, 0);
  setFactors(1, y, 0);
  setFactors(2, 1, 0);
  setFactors(3, 0, 1);
  setFactors(4, 0, y);
  setFactors(5, 0, 1);
  setFactors(6, -1, -y);
  setFactors(7, -y, -y * y);
  for (let i: u32 = 0; i < count; i++) {
    const fi = load<f64>(STEP_FACTORS + i * FACTOR_BYTES);
    const gi = load<f64>(STEP_FACTORS + i * FACTOR_BYTES, 8);
    const ni = acrossDegree(i);
    const mi = downDegree(i);
    const to = STEP_VECTOR + (i << 3);
    const product = fi * load<f64>(ACROSS_DIFFERENCE + ni) + gi * load<f64>(DOWN_DIFFERENCE + mi);
    store<f64>(to, load<f64>(to) + product);
    for (let j: u32 = 0; j <= i; j++) {
      const fj = load<f64>(STEP_FACTORS + j * FACTOR_BYTES);
      const gj = load<f64>(STEP_FACTORS + j * FACTOR_BYTES, 8);
      const nj = acrossDegree(j);
      const mj = downDegree(j);
      const entry = STEP_MATRIX + ((i * count + j) << 3);
      const sum =
        fi * (fj * load<f64>(ACROSS + ni + nj) + gj * load<f64>(BOTH + ni + mj)) +
        gi * (fj * load<f64>(BOTH + mi + nj) + gj * load<f64>(DOWN + mi + mj));
      store<f64>(entry, load<f64>(entry) + sum);
    }
  }
}

function setFactors(parameter: u32, across: f64, down: f64): void {
  store<f64>(STEP_FACTORS + parameter * FACTOR_BYTES, across);
  store<f64>(STEP_FACTORS + parameter * FACTOR_BYTES, down, 8);
}

/** Returns the degree of x in the factor of a slope, times eight bytes. */
function acrossDegree(parameter: u32): u32 {
  return parameter === 0 || parameter === 7 ? 8 : parameter === 6 ? 16 : 0;
}

function downDegree(parameter: u32): u32 {
  return parameter === 3 || parameter === 6 ? 8 : 0;
}
