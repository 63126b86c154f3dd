import type { Patch } from "./patch.ts";
import { compose, type Projection, stretchTo } from "./projection.ts";

/** A projection of a frame into the image, and the correlation at low resolution. */
export type AlignmentHypothesis = { projection: Projection; score: number };

/** A normalised view at one size; `power` is the prefix sum of squares, for its windows. */
export type ViewPatch = { patch: Patch; power: Float64Array };

/** Widths of a view relative to the frame, in steps of an eighth. The refinement covers the sizes between. */
export const viewWidths: readonly number[] = [
  0.42, 0.5, 0.56, 0.63, 0.71, 0.8, 0.9, 1, 1.12, 1.26, 1.41, 1.6, 1.8,
];
/** Smallest fraction of the frame that must be visible; the evidence of a smaller one is too weak. */
export const leastOverlap = 0.28;
/** A good match of a large part of the frame outweighs a slightly better one of a small part. */
export const overlapPower = 0.35;

/** Number of first-pass sizes whose neighbours are tried too. */
const PROMISING = 2;

/**
 * Slides views of several sizes, the frame's own first and then in order, over a frame and returns the best
 * positions, one per size, best first (normalised correlation, Lewis 1995). It tries every second size, then
 * those next to the best. `view` projects the centred coordinates of the view into the image.
 */
export function findHypotheses(
  frame: ViewPatch,
  views: readonly ViewPatch[],
  view: Projection,
  limit: number,
): AlignmentHypothesis[] {
  const best: { score: number; dx: number; dy: number; patch: Patch; size: number }[] = [];
  const tried = new Set<number>();
  const attempt = (size: number) => {
    const one = views[size];
    if (one === undefined || tried.has(size)) return;
    tried.add(size);
    const position = slide(frame, one);
    if (position !== undefined) best.push({ ...position, patch: one.patch, size });
  };
  attempt(0);
  for (let size = 1; size < views.length; size += 2) attempt(size);
  best.sort((a, b) => b.score - a.score);
  for (const { size } of best.filter(({ size }) => size > 0).slice(0, PROMISING)) {
    attempt(size - 1);
    attempt(size + 1);
  }
  best.sort((a, b) => b.score - a.score);
  const { width, height } = frame.patch;
  return best.slice(0, limit).map(({ score, dx, dy, patch }) => ({
    score,
    projection: compose(
      view,
      stretchTo(
        width / patch.width,
        height / patch.height,
        (width / 2 - dx) / patch.width - 0.5,
        (height / 2 - dy) / patch.height - 0.5,
      ),
    ),
  }));
}

/** Computes the prefix sums that `slide` needs. */
export function withPower(
  patch: Patch,
  power = new Float64Array((patch.width + 1) * (patch.height + 1)),
): ViewPatch {
  const { width, height, values } = patch;
  for (let y = 0, at = 0; y < height; y++) {
    let sum = 0;
    let to = (y + 1) * (width + 1);
    for (let x = 0; x < width; x++, at++) {
      const value = values[at] ?? 0;
      sum += value * value;
      to++;
      power[to] = (power[to - width - 1] ?? 0) + sum;
    }
  }
  return { patch, power };
}

/**
 * Finds the best offset of the view's upper left corner within the frame; the view may exceed its sides. It
 * tries every second position in a chessboard pattern, then those next to the best: neighbours of the best
 * position also agree.
 */
function slide(frame: ViewPatch, view: ViewPatch) {
  const { width, height } = frame.patch;
  const { width: viewWidth, height: viewHeight } = view.patch;
  const slackX = Math.ceil(0.2 * Math.min(width, viewWidth));
  const slackY = Math.ceil(0.2 * Math.min(height, viewHeight));
  const fromX = Math.min(0, width - viewWidth) - slackX;
  const toX = Math.max(0, width - viewWidth) + slackX;
  const fromY = Math.min(0, height - viewHeight) - slackY;
  const toY = Math.max(0, height - viewHeight) + slackY;
  let [score, bestX, bestY] = [0, 0, 0];
  for (let dy = fromY; dy <= toY; dy++) {
    for (let dx = fromX + ((dy - fromY) & 1); dx <= toX; dx += 2) {
      const found = correlate(frame, view, dx, dy);
      if (found > score) [score, bestX, bestY] = [found, dx, dy];
    }
  }
  if (score === 0) return undefined;
  const [aroundX, aroundY] = [bestX, bestY];
  for (const [stepX, stepY] of BESIDE) {
    const found = correlate(frame, view, aroundX + stepX, aroundY + stepY);
    if (found > score) [score, bestX, bestY] = [found, aroundX + stepX, aroundY + stepY];
  }
  return { score, dx: bestX, dy: bestY };
}

const BESIDE = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;

/**
 * Returns the correlation of the view at an offset with the frame, reduced for a small overlap; 0 for too
 * small a one.
 */
function correlate(frame: ViewPatch, view: ViewPatch, dx: number, dy: number): number {
  const { width, height, values } = frame.patch;
  const { width: viewWidth, height: viewHeight, values: viewValues } = view.patch;
  const top = dy > 0 ? dy : 0;
  const bottom = Math.min(height, dy + viewHeight);
  const left = dx > 0 ? dx : 0;
  const right = Math.min(width, dx + viewWidth);
  const area = (right - left) * (bottom - top);
  if (bottom <= top || right <= left || area < leastOverlap * width * height) return 0;
  let product = 0;
  for (let y = top; y < bottom; y++) {
    let at = y * width + left;
    let from = (y - dy) * viewWidth + left - dx;
    for (const end = y * width + right; at < end; at++, from++) {
      product += (values[at] ?? 0) * (viewValues[from] ?? 0);
    }
  }
  if (product <= 0) return 0;
  const powers =
    windowSum(frame, left, top, right, bottom) *
    windowSum(view, left - dx, top - dy, right - dx, bottom - dy);
  return (product / Math.sqrt(powers + 1e-6)) * (area / (width * height)) ** overlapPower;
}

function windowSum({ patch, power }: ViewPatch, left: number, top: number, right: number, bottom: number) {
  const stride = patch.width + 1;
  return (
    (power[bottom * stride + right] ?? 0) -
    (power[top * stride + right] ?? 0) -
    (power[bottom * stride + left] ?? 0) +
    (power[top * stride + left] ?? 0)
  );
}
