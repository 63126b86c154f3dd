// Sliding a view over a frame at half the size (normalised correlation, Lewis 1995).

import {
  AREA_FACTORS,
  COARSE_HEIGHT,
  COARSE_WIDTH,
  FRAME_POWER,
  PADDED,
  PADDED_STRIDE,
  PADDING,
  patchAt,
  RESULTS,
  VIEW_POWER,
} from "./layout";
import { lanes } from "./patches";

/** Number of the patch of the frame. */
const FRAME: u32 = 1;

/** Writes the prefix sums of the squares of the coarse frame, which `slide` needs. */
export function measureFrame(): void {
  sumSquares(patchAt(FRAME), COARSE_WIDTH, COARSE_HEIGHT, FRAME_POWER);
}

/**
 * Finds the best offset of the view's upper left corner within the frame; the view may exceed its sides. It
 * tries every second position in a chessboard pattern, then those next to the best. Writes the score and the
 * offset. `view` is the address of the values of the view.
 */
export function slide(view: u32, width: i32, height: i32): void {
  padRows(view, width, height);
  sumSquares(view, width, height, VIEW_POWER);
  const slackX = slackOf(<i32>COARSE_WIDTH, width);
  const slackY = slackOf(<i32>COARSE_HEIGHT, height);
  const fromX = min<i32>(0, <i32>COARSE_WIDTH - width) - slackX;
  const toX = max<i32>(0, <i32>COARSE_WIDTH - width) + slackX;
  const fromY = min<i32>(0, <i32>COARSE_HEIGHT - height) - slackY;
  const toY = max<i32>(0, <i32>COARSE_HEIGHT - height) + slackY;
  let score: f64 = 0;
  let bestX: i32 = 0;
  let bestY: i32 = 0;
  for (let dy = fromY; dy <= toY; dy++) {
    for (let dx = fromX + ((dy - fromY) & 1); dx <= toX; dx += 2) {
      const found = correlate(width, height, dx, dy);
      if (found > score) {
        score = found;
        bestX = dx;
        bestY = dy;
      }
    }
  }
  if (score > 0) {
    const aroundX = bestX;
    const aroundY = bestY;
    for (let beside = 0; beside < 4; beside++) {
      const dx = aroundX + (beside === 0 ? -1 : beside === 1 ? 1 : 0);
      const dy = aroundY + (beside === 2 ? -1 : beside === 3 ? 1 : 0);
      const found = correlate(width, height, dx, dy);
      if (found > score) {
        score = found;
        bestX = dx;
        bestY = dy;
      }
    }
  }
  store<f64>(RESULTS, score);
  store<f64>(RESULTS, <f64>bestX, 8);
  store<f64>(RESULTS, <f64>bestY, 16);
}

function slackOf(frame: i32, view: i32): i32 {
  return <i32>ceil(0.2 * <f64>min(frame, view));
}

/** Copies the view with zeros beside its rows, so that columns outside of it add nothing to a product. */
function padRows(view: u32, width: u32, height: u32): void {
  memory.fill(PADDED, 0, (height * PADDED_STRIDE) << 2);
  for (let row: u32 = 0; row < height; row++) {
    memory.copy(PADDED + ((row * PADDED_STRIDE + PADDING) << 2), view + ((row * width) << 2), width << 2);
  }
}

/**
 * Returns the correlation of the view at an offset with the frame, reduced for a small overlap; 0 for too
 * small a one, whose factor is 0.
 */
function correlate(width: i32, height: i32, dx: i32, dy: i32): f64 {
  const top = max<i32>(0, dy);
  const bottom = min<i32>(<i32>COARSE_HEIGHT, dy + height);
  const left = max<i32>(0, dx);
  const right = min<i32>(<i32>COARSE_WIDTH, dx + width);
  if (bottom <= top || right <= left) return 0;
  const factor = load<f64>(AREA_FACTORS + (((right - left) * (bottom - top)) << 3));
  if (factor === 0) return 0;
  let frame = patchAt(FRAME) + ((top * <i32>COARSE_WIDTH) << 2);
  let from = PADDED + (((top - dy) * <i32>PADDED_STRIDE + <i32>PADDING - dx) << 2);
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (let row = top; row < bottom; row++) {
    even = f32x4.add(even, f32x4.mul(v128.load(frame), v128.load(from)));
    odd = f32x4.add(odd, f32x4.mul(v128.load(frame, 16), v128.load(from, 16)));
    even = f32x4.add(even, f32x4.mul(v128.load(frame, 32), v128.load(from, 32)));
    odd = f32x4.add(odd, f32x4.mul(v128.load(frame, 48), v128.load(from, 48)));
    even = f32x4.add(even, f32x4.mul(v128.load(frame, 64), v128.load(from, 64)));
    frame += COARSE_WIDTH << 2;
    from += PADDED_STRIDE << 2;
  }
  const product = lanes(f32x4.add(even, odd));
  if (product <= 0) return 0;
  const powers =
    windowSum(FRAME_POWER, COARSE_WIDTH, left, top, right, bottom) *
    windowSum(VIEW_POWER, width, left - dx, top - dy, right - dx, bottom - dy);
  return (product / sqrt(powers + 1e-6)) * factor;
}

/** Writes one row and one column more than the values have; the first ones are zero. */
function sumSquares(values: u32, width: u32, height: u32, power: u32): void {
  const stride = (width + 1) << 3;
  memory.fill(power, 0, stride);
  let above = power;
  for (let y: u32 = 0; y < height; y++) {
    const row = above + stride;
    store<f64>(row, 0);
    let sum: f64 = 0;
    for (let x: u32 = 0; x < width; x++, values += 4) {
      const value = <f64>load<f32>(values);
      sum += value * value;
      const at = (x + 1) << 3;
      store<f64>(row + at, load<f64>(above + at) + sum);
    }
    above = row;
  }
}

function windowSum(power: u32, width: i32, left: i32, top: i32, right: i32, bottom: i32): f64 {
  const stride = width + 1;
  return (
    load<f64>(power + ((bottom * stride + right) << 3)) -
    load<f64>(power + ((top * stride + right) << 3)) -
    load<f64>(power + ((bottom * stride + left) << 3)) +
    load<f64>(power + ((top * stride + left) << 3))
  );
}
