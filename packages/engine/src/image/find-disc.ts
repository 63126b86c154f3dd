import type { Box, Raster } from "../pixels/raster.ts";

/** A pixel differs from the ground when a channel differs by more than this; compression changes the ground. */
const GROUND_TOLERANCE = 28;
/** The corners of the image, in fractions of its shorter side, have the colour of the ground. */
const CORNER_SHARE = 0.02;
/** Rows and columns whose ends are looked at. */
const LINES = 64;
/** The diameter in pixels, and in fractions of the shorter side of the image. */
const DIAMETER = { leastPixels: 48, leastShare: 0.3 };
/**
 * Ends of lines that are at most this far from the circle, in fractions of its radius and at least in pixels, touch
 * it; the least share of the ends that do, and the least number of eighths of the circle that they are in.
 */
const TOUCH = { reach: 0.04, leastPixels: 2, leastShare: 0.6, leastEighths: 7 };
const STEPS = 400;
/** The circle around whole pixels is larger than the disc, in pixels. */
const MARGIN = 3;
/** The circle is drawn inside of the edge, which compression mixes with the ground. */
const EDGE_PIXELS = 1.5;

type Point = readonly [x: number, y: number];

/**
 * Finds the disc that a round avatar shows on a ground of one colour, as the box around it: the smallest circle around
 * all that differs from the ground, when most ends of rows and columns touch it.
 */
export function findDisc(raster: Raster): Box | undefined {
  const ground = groundOf(raster);
  if (ground === undefined) return undefined;
  const ends = endsOfLines(raster, ground);
  if (ends.length < LINES) return undefined;
  const { middle, radius } = enclose(ends);
  const [x, y] = middle;
  const diameter = 2 * radius;
  const side = Math.min(raster.width, raster.height);
  if (diameter < DIAMETER.leastPixels || diameter < DIAMETER.leastShare * side || diameter > side + MARGIN)
    return undefined;
  const reach = Math.max(TOUCH.leastPixels, TOUCH.reach * radius);
  const touching = ends.filter((end) => radius - distance(end, middle) <= reach);
  const eighths = new Set(touching.map((end) => Math.floor(angleOf(end, middle) * 8)));
  if (touching.length < TOUCH.leastShare * ends.length || eighths.size < TOUCH.leastEighths) return undefined;
  const inner = Math.max(1, radius - EDGE_PIXELS);
  const [left, top] = [Math.max(0, Math.round(x - inner)), Math.max(0, Math.round(y - inner))];
  return {
    left,
    top,
    width: Math.min(raster.width, Math.round(x + inner)) - left,
    height: Math.min(raster.height, Math.round(y + inner)) - top,
  };
}

type Colour = readonly [red: number, green: number, blue: number];

/** Returns the colour of all corners, when they have one. */
function groundOf({ pixels, width, height }: Raster): Colour | undefined {
  const size = Math.max(2, Math.round(Math.min(width, height) * CORNER_SHARE));
  const corners: Colour[] = [];
  for (const left of [0, width - size]) {
    for (const top of [0, height - size]) {
      for (let y = Math.max(0, top); y < top + size; y++) {
        for (let x = Math.max(0, left); x < left + size; x++)
          corners.push(colourAt(pixels, (y * width + x) * 3));
      }
    }
  }
  const mean = [0, 1, 2].map(
    (channel) => corners.reduce((sum, colour) => sum + (colour[channel] ?? 0), 0) / corners.length,
  );
  const ground: Colour = [mean[0] ?? 0, mean[1] ?? 0, mean[2] ?? 0];
  return corners.every((colour) => !differs(colour, ground)) ? ground : undefined;
}

/** Returns the first and the last pixel of rows and columns that differ from the ground. */
function endsOfLines({ pixels, width, height }: Raster, ground: Colour): Point[] {
  const ends: Point[] = [];
  const isShown = (x: number, y: number) => differs(colourAt(pixels, (y * width + x) * 3), ground);
  for (let line = 0; line < LINES; line++) {
    const y = Math.floor(((line + 0.5) / LINES) * height);
    const x = Math.floor(((line + 0.5) / LINES) * width);
    const [left, right] = findEnds(width, (at) => isShown(at, y));
    if (left !== undefined && right !== undefined) ends.push([left, y + 0.5], [right, y + 0.5]);
    const [top, bottom] = findEnds(height, (at) => isShown(x, at));
    if (top !== undefined && bottom !== undefined) ends.push([x + 0.5, top], [x + 0.5, bottom]);
  }
  return ends;
}

function findEnds(length: number, isShown: (at: number) => boolean): [first?: number, last?: number] {
  let first = 0;
  while (first < length && !isShown(first)) first++;
  if (first === length) return [];
  let last = length - 1;
  while (!isShown(last)) last--;
  return [first, last + 1];
}

/** Returns nearly the smallest circle around the points (Bădoiu and Clarkson 2003). */
function enclose(points: readonly Point[]): { middle: Point; radius: number } {
  let middle = points[0] ?? [0, 0];
  for (let step = 1; step <= STEPS; step++) {
    const [x, y] = farthestFrom(middle, points);
    middle = [middle[0] + (x - middle[0]) / (step + 1), middle[1] + (y - middle[1]) / (step + 1)];
  }
  return { middle, radius: distance(farthestFrom(middle, points), middle) };
}

function farthestFrom(middle: Point, points: readonly Point[]): Point {
  let farthest = middle;
  let most = -1;
  for (const point of points) {
    const far = (point[0] - middle[0]) ** 2 + (point[1] - middle[1]) ** 2;
    if (far > most) [farthest, most] = [point, far];
  }
  return farthest;
}

function distance([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.hypot(x - otherX, y - otherY);
}

/** The direction from the middle to a point, 0..1. */
function angleOf([x, y]: Point, [middleX, middleY]: Point): number {
  return (Math.atan2(y - middleY, x - middleX) / (2 * Math.PI) + 1) % 1;
}

function colourAt(pixels: Uint8Array, at: number): Colour {
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
}

function differs([red, green, blue]: Colour, ground: Colour): boolean {
  return (
    Math.abs(red - ground[0]) > GROUND_TOLERANCE ||
    Math.abs(green - ground[1]) > GROUND_TOLERANCE ||
    Math.abs(blue - ground[2]) > GROUND_TOLERANCE
  );
}
