import type { Box, Raster } from "../pixels/raster.ts";
import { type Point, type Quad, quadOfBox, rotatedBox } from "./quad.ts";

/**
 * Angles in degrees that are tried when the rotation of an image is unknown; a descriptor tolerates five
 * degrees.
 */
const ANGLES = [20, 30, 40, -20, -30, -40];
/** Largest mean difference of colours within the fill around a rotated frame. */
const FILL_TOLERANCE = 26;
/** Largest distance of a corner of a rotated frame from the side of the image, as a fraction of its length. */
const TOUCH = 0.02;
const LEAST_AREA = 0.2;

/**
 * Finds the frame in an image that is rotated by up to 45 degrees on a background of one colour. Its corners
 * touch the sides of the image. Returns undefined when the corners of the image have no common colour or the
 * shape is no rectangle.
 */
export function findRotatedFrame(raster: Raster): Quad | undefined {
  const { width, height } = raster;
  const fill = findFill(raster);
  if (fill === undefined) return undefined;
  const isContent = (x: number, y: number) => differenceAt(raster, x, y, fill) > FILL_TOLERANCE;
  const rows = extentOf(width, height, isContent);
  const columns = extentOf(height, width, (y, x) => isContent(x, y));
  if (rows === undefined || columns === undefined) return undefined;
  const isTouching =
    rows.first.at <= height * TOUCH &&
    rows.last.at >= height * (1 - TOUCH) - 1 &&
    columns.first.at <= width * TOUCH &&
    columns.last.at >= width * (1 - TOUCH) - 1;
  if (!isTouching) return undefined;
  const top: Point = [rows.first.middle, 0];
  const right: Point = [width, columns.last.middle];
  const bottom: Point = [rows.last.middle, height];
  const left: Point = [0, columns.first.middle];
  // After a clockwise rotation by less than 45 degrees, the upper left corner is the topmost one; after one to
  // the other side it is the leftmost one.
  const [angleOfTop, angleOfLeft] = [slopeOf(top, right), slopeOf(left, top)];
  const quad: Quad =
    Math.abs(angleOfTop) <= Math.abs(angleOfLeft) ? [top, right, bottom, left] : [left, top, right, bottom];
  return isRectangle(quad, width * height) ? quad : undefined;
}

/** Rotates a box back by each of some angles: half way between the largest part inside it and the whole. */
export function rotatedBoxes(box: Box): Quad[] {
  return ANGLES.map((degrees) => uprightBox(box, degrees));
}

/**
 * Rotates the middle of a box back: half way between the largest part inside the box, which loses edges of the
 * scene, and the whole, which includes empty corners.
 */
export function uprightBox(box: Box, degrees: number): Quad {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.abs(Math.sin(radians)), Math.cos(radians)];
  const { width, height } = box;
  const inside = Math.min(width / (width * cos + height * sin), height / (width * sin + height * cos));
  const scale = (1 + inside) / 2;
  const middle = [box.left + width / 2, box.top + height / 2] as const;
  return rotatedBox(middle, { width: width * scale, height: height * scale }, radians);
}

/** Returns the box upside down. */
export function halfRotationOf(box: Box): Quad {
  const [a, b, c, d] = quadOfBox(box);
  return [c, d, a, b];
}

type Colour = readonly [number, number, number];

/** Returns the mean colour of the corners of the image when all four have it. */
function findFill(raster: Raster): Colour | undefined {
  const [right, bottom] = [raster.width - 2, raster.height - 2];
  const corners = [
    [1, 1],
    [right, 1],
    [right, bottom],
    [1, bottom],
  ] as const;
  const colours = corners.map(([x, y]) => colourAt(raster, x, y));
  const mean = [0, 1, 2].map((k) => colours.reduce((sum, colour) => sum + (colour[k] ?? 0), 0) / 4);
  const fill: Colour = [mean[0] ?? 0, mean[1] ?? 0, mean[2] ?? 0];
  const isCommon = corners.every(([x, y]) => differenceAt(raster, x, y, fill) <= FILL_TOLERANCE / 2);
  return isCommon ? fill : undefined;
}

function colourAt({ pixels, width }: Raster, x: number, y: number): Colour {
  const at = (y * width + x) * 3;
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
}

function differenceAt(raster: Raster, x: number, y: number, fill: Colour): number {
  const colour = colourAt(raster, x, y);
  return (Math.abs(colour[0] - fill[0]) + Math.abs(colour[1] - fill[1]) + Math.abs(colour[2] - fill[2])) / 3;
}

/** Returns the first and the last line with content, and the middle of their content. */
function extentOf(length: number, lines: number, isContent: (at: number, line: number) => boolean) {
  const middleOf = (line: number): number | undefined => {
    let [sum, count] = [0, 0];
    for (let at = 0; at < length; at++) {
      if (!isContent(at, line)) continue;
      sum += at;
      count++;
    }
    return count >= 2 ? sum / count : undefined;
  };
  const find = (from: number, to: number, step: number) => {
    for (let line = from; line !== to; line += step) {
      const middle = middleOf(line);
      if (middle !== undefined) return { at: line, middle };
    }
    return undefined;
  };
  const [first, last] = [find(0, lines, 1), find(lines - 1, -1, -1)];
  return first && last ? { first, last } : undefined;
}

function slopeOf([x, y]: Point, [toX, toY]: Point): number {
  return Math.atan2(toY - y, toX - x);
}

/** True when opposite sides are alike and neighbouring sides are at right angles. */
function isRectangle([a, b, c, d]: Quad, area: number): boolean {
  const side = (p: Point, q: Point) => Math.hypot(p[0] - q[0], p[1] - q[1]);
  const [top, right, bottom, left] = [side(a, b), side(b, c), side(c, d), side(d, a)];
  const isEven = (one: number, other: number) => Math.abs(one - other) <= 0.12 * Math.max(one, other);
  const dot = (b[0] - a[0]) * (d[0] - a[0]) + (b[1] - a[1]) * (d[1] - a[1]);
  return (
    isEven(top, bottom) &&
    isEven(left, right) &&
    Math.abs(dot) <= 0.12 * top * left &&
    top * left >= LEAST_AREA * area
  );
}
