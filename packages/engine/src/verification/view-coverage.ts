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
      const [x, y] = pointOf(view, (column + 0.5) / STEPS, (row + 0.5) / STEPS);
      if (isInside(frame, x, y)) covered++;
    }
  }
  return covered / STEPS ** 2;
}

/** Interpolates bilinearly between the corners. */
function pointOf([a, b, c, d]: readonly [Point, Point, Point, Point], u: number, v: number): Point {
  const between = (at: 0 | 1) => (1 - v) * ((1 - u) * a[at] + u * b[at]) + v * ((1 - u) * d[at] + u * c[at]);
  return [between(0), between(1)];
}

/** True when the point is on the same side of all four sides. */
function isInside(corners: readonly [Point, Point, Point, Point], x: number, y: number): boolean {
  let [isLeft, isRight] = [false, false];
  for (const [at, [fromX, fromY]] of corners.entries()) {
    const [toX, toY] = corners[(at + 1) % 4] ?? [fromX, fromY];
    const side = (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);
    if (side > 0) isLeft = true;
    if (side < 0) isRight = true;
  }
  return !(isLeft && isRight);
}
