import type { Point } from "./projection.ts";

const STEPS = 8;

/**
 * Returns the fraction of a view, 0..1, that a frame with these corners covers; both have the same
 * coordinates and order.
 */
export function coverageOf(
  frame: readonly [Point, Point, Point, Point],
  view: readonly [Point, Point, Point, Point],
): number {
  let covered = 0;
  for (let row = 0; row < STEPS; row++) {
    for (let column = 0; column < STEPS; column++) {
      const u = (column + 0.5) / STEPS;
      const v = (row + 0.5) / STEPS;
      if (isInside(frame, between(view, 0, u, v), between(view, 1, u, v))) covered++;
    }
  }
  return covered / STEPS ** 2;
}

/** Interpolates bilinearly between the corners, along one axis. */
function between(
  [a, b, c, d]: readonly [Point, Point, Point, Point],
  at: 0 | 1,
  u: number,
  v: number,
): number {
  return (1 - v) * ((1 - u) * a[at] + u * b[at]) + v * ((1 - u) * d[at] + u * c[at]);
}

/** True when the point is on the same side of all four sides. */
function isInside([a, b, c, d]: readonly [Point, Point, Point, Point], x: number, y: number): boolean {
  const ab = sideOf(a, b, x, y);
  const bc = sideOf(b, c, x, y);
  const cd = sideOf(c, d, x, y);
  const da = sideOf(d, a, x, y);
  return (ab >= 0 && bc >= 0 && cd >= 0 && da >= 0) || (ab <= 0 && bc <= 0 && cd <= 0 && da <= 0);
}

/** Returns a positive number for a point at one side of the line through two points, a negative at the other. */
function sideOf(from: Point, to: Point, x: number, y: number): number {
  return (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
}
