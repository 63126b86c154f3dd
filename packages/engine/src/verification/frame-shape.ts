import type { ImageView, Region } from "../image/image-description.ts";
import { cornersOf, type Point, type Projection } from "./projection.ts";

/** Plausible shapes of a frame in an image: ratio of the sides, and corners. */
const LARGEST_STRETCH = 1.9;
/** The same for a frame that fills its view: a film of 21:9 on an upright telephone is 4.2. */
const LARGEST_STRETCH_OF_FILLED = 4.5;
/** Largest distance of the corners of a frame that fills a view from those of the view, in diagonals of it. */
const MOST_SHIFT_OF_FILLED = 0.05;
const LEAST_CORNER_SINE = 0.7;
const LEAST_SIDE_PIXELS = 12;

type Size = { width: number; height: number };

/** Returns the corners of a view in pixels of an image, in the order of `projectionTo`. */
export function cornersInImage(
  { corners, region }: Pick<ImageView, "corners" | "region">,
  { width, height }: Size,
): [Point, Point, Point, Point] {
  const inPixels = ([x, y]: Point): Point => [x * width, y * height];
  if (corners !== undefined) {
    const [a, b, c, d] = corners;
    return [inPixels(a), inPixels(b), inPixels(c), inPixels(d)];
  }
  const { x, y, width: w, height: h } = region ?? { x: 0, y: 0, width: 1, height: 1 };
  return [inPixels([x, y]), inPixels([x + w, y]), inPixels([x + w, y + h]), inPixels([x, y + h])];
}

/**
 * True for a projection without implausible squeezing, shearing or bending of a frame. A frame that fills a view may
 * be squeezed more: images are stretched to screens.
 */
export function isPlausible(projection: Projection, aspect: number, view: readonly Point[]): boolean {
  const corners = cornersOf(projection);
  if (!corners.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))) return false;
  const [a, b, c, d] = corners;
  const sides = [distance(a, b), distance(b, c), distance(c, d), distance(d, a)] as const;
  if (Math.min(...sides) < LEAST_SIDE_PIXELS) return false;
  const [top, right, bottom, left] = sides;
  const stretch = (top + bottom) / (left + right) / aspect;
  const isEven = Math.max(top / bottom, bottom / top, left / right, right / left) < 1.6;
  const leastSine = Math.min(sineAt(d, a, b), sineAt(a, b, c), sineAt(b, c, d), sineAt(c, d, a));
  const isSquare = leastSine > LEAST_CORNER_SINE;
  const largest = fills(corners, view) ? LARGEST_STRETCH_OF_FILLED : LARGEST_STRETCH;
  return stretch < largest && stretch > 1 / largest && isEven && isSquare;
}

function fills(corners: readonly Point[], view: readonly Point[]): boolean {
  const [first, , opposite] = view;
  if (first === undefined || opposite === undefined) return false;
  const most = MOST_SHIFT_OF_FILLED * distance(first, opposite);
  return corners.every((corner, at) => distance(corner, view[at] ?? first) <= most);
}

/** Returns the part of an image, in fractions of its sides, that contains a frame. */
export function regionOf(projection: Projection, { width, height }: Size): Region {
  const corners = cornersOf(projection);
  const share = (value: number) => Math.max(0, Math.min(1, value));
  const xs = corners.map(([x]) => share(x / width));
  const ys = corners.map(([, y]) => share(y / height));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Returns the distance of two points. */
export function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(ax - bx, ay - by);
}

/**
 * Returns the sine of the angle at `q`; positive when the corners are clockwise as displayed, that is not
 * mirrored.
 */
function sineAt(p: Point, q: Point, r: Point): number {
  const [ax, ay] = [q[0] - p[0], q[1] - p[1]];
  const [bx, by] = [r[0] - q[0], r[1] - q[1]];
  return (ax * by - ay * bx) / (Math.hypot(ax, ay) * Math.hypot(bx, by) || 1);
}
