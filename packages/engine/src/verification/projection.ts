/**
 * A plane projection (homography) as nine numbers, row by row, of a point (x, y, 1). Coordinates of frames
 * and views are centred, -0.5 .. 0.5 from side to side; those of images are pixels of level 0.
 */
export type Projection = Float64Array;

export type Point = readonly [x: number, y: number];

/** Projects a point. */
function project(p: Projection, x: number, y: number): Point {
  const depth = at(p, 6) * x + at(p, 7) * y + at(p, 8);
  return [(at(p, 0) * x + at(p, 1) * y + at(p, 2)) / depth, (at(p, 3) * x + at(p, 4) * y + at(p, 5)) / depth];
}

/** Applies `inner`, then `outer`; scaled to a last number of one. */
export function compose(outer: Projection, inner: Projection): Projection {
  const product = new Float64Array(9);
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let step = 0; step < 3; step++) sum += at(outer, row + step) * at(inner, step * 3 + column);
      product[row + column] = sum;
    }
  }
  const last = at(product, 8);
  for (let index = 0; index < 9; index++) product[index] = at(product, index) / last;
  return product;
}

/** Scales by `width` and `height` and moves the middle to (x, y). */
export function stretchTo(width: number, height: number, x: number, y: number): Projection {
  return Float64Array.of(width, 0, x, 0, height, y, 0, 0, 1);
}

/**
 * Returns the projection of the corners of a view (upper left, upper right, lower right, lower left) to these
 * points (Heckbert 1989).
 */
export function projectionTo(corners: readonly [Point, Point, Point, Point]): Projection {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [sumX, sumY] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const determinant = ax * by - bx * ay || 1e-9;
  const g = (sumX * by - bx * sumY) / determinant;
  const h = (ax * sumY - sumX * ay) / determinant;
  const unit = Float64Array.of(
    x1 - x0 + g * x1,
    x3 - x0 + h * x3,
    x0,
    y1 - y0 + g * y1,
    y3 - y0 + h * y3,
    y0,
    g,
    h,
    1,
  );
  return compose(unit, stretchTo(1, 1, 0.5, 0.5));
}

/** Returns the projected corners of a frame, in the order of `projectionTo`. */
export function cornersOf(p: Projection): [Point, Point, Point, Point] {
  return [project(p, -0.5, -0.5), project(p, 0.5, -0.5), project(p, 0.5, 0.5), project(p, -0.5, 0.5)];
}

function at(p: Projection, index: number): number {
  return p[index] ?? 0;
}
