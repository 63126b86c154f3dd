import type { Box } from "../pixels/raster.ts";
import type { Region } from "./image-description.ts";

export type Point = readonly [x: number, y: number];

/**
 * Four corners in pixels of a raster, in the order in which a view shows them: upper left, upper right, lower
 * right, lower left. Boxes, rotated boxes, quarter rotations and screens in perspective are quads.
 */
export type Quad = readonly [Point, Point, Point, Point];

/** Returns the corners of a box. */
export function quadOfBox({ left, top, width, height }: Box): Quad {
  const [right, bottom] = [left + width, top + height];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** Returns the box with these corners when they are upright and in order, otherwise undefined. */
export function boxOfQuad(quad: Quad): Box | undefined {
  const [[left, top], [right, second], [third, bottom], [fourth, fifth]] = quad;
  const isBox =
    top === second && right === third && bottom === fifth && left === fourth && right > left && bottom > top;
  return isBox ? { left, top, width: right - left, height: bottom - top } : undefined;
}

/** Rotates a quad by a quarter: the right side becomes the top, or the left side with `isClockwise`. */
export function rotateQuad([a, b, c, d]: Quad, isClockwise: boolean): Quad {
  return isClockwise ? [d, a, b, c] : [b, c, d, a];
}

/** Rotates a box about its middle, clockwise as displayed. */
export function rotatedBox(
  [x, y]: Point,
  { width, height }: { width: number; height: number },
  radians: number,
): Quad {
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const corner = (across: number, down: number): Point => [
    x + across * cos - down * sin,
    y + across * sin + down * cos,
  ];
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  return [
    corner(-halfWidth, -halfHeight),
    corner(halfWidth, -halfHeight),
    corner(halfWidth, halfHeight),
    corner(-halfWidth, halfHeight),
  ];
}

/** Returns the part of the raster around a quad, in fractions of the raster, clipped at its sides. */
export function regionOf(quad: Quad, { width, height }: { width: number; height: number }): Region {
  const xs = quad.map(([x]) => Math.min(1, Math.max(0, x / width)));
  const ys = quad.map(([, y]) => Math.min(1, Math.max(0, y / height)));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Returns the intersection over union of two boxes. */
export function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
}

/** Returns the mean distance of the corners of two quads. */
export function distanceOf(a: Quad, b: Quad): number {
  return a.reduce((sum, [x, y], at) => sum + Math.hypot(x - (b[at]?.[0] ?? 0), y - (b[at]?.[1] ?? 0)), 0) / 4;
}
