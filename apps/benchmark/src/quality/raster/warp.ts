import type { Rgb } from "@koma/testing/drawing";
import { createRaster, type Raster } from "./raster.ts";

export type Point = readonly [x: number, y: number];
export type Quad = readonly [Point, Point, Point, Point];
/**
 * Row by row, the last element is 1: (x, y) maps to ((ax + by + c) / w, (dx + ey + f) / w) with w = gx + hy +
 * 1.
 */
export type Homography = readonly [number, number, number, number, number, number, number, number];

/**
 * Returns the homography that maps four points to four others (Heckbert, Fundamentals of Texture Mapping,
 * 1989).
 */
export function findHomography(from: Quad, to: Quad): Homography {
  const rows = from.flatMap(([x, y], i) => {
    const [u, v] = to[i] ?? [0, 0];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  return solve(rows) as unknown as Homography;
}

/**
 * Draws `image` on `ground` with its corners (from the upper left, clockwise) at `corners`, bilinear,
 * averaged over the pixel where it shrinks. Pixels of `ground` outside of the corners stay unchanged.
 */
export function warpOnto(ground: Raster, image: Raster, corners: Quad): Raster {
  const back = findHomography(corners, [
    [0, 0],
    [image.width, 0],
    [image.width, image.height],
    [0, image.height],
  ]);
  const result = { ...ground, pixels: Uint8Array.from(ground.pixels) };
  const [left, right] = reach(corners, 0, ground.width);
  const [top, bottom] = reach(corners, 1, ground.height);
  const [a, b, c, d, e, f, g, h] = back;
  // Two by two samples per pixel prevent aliasing of edges and fine detail where the image shrinks.
  const offsets = [0.25, 0.75] as const;
  const sum: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      let hits = 0;
      sum[0] = sum[1] = sum[2] = 0;
      for (const dy of offsets) {
        for (const dx of offsets) {
          const px = x + dx;
          const py = y + dy;
          const w = g * px + h * py + 1;
          const u = (a * px + b * py + c) / w;
          const v = (d * px + e * py + f) / w;
          if (u < 0 || v < 0 || u >= image.width || v >= image.height) continue;
          addSample(image, u - 0.5, v - 0.5, sum);
          hits++;
        }
      }
      if (hits === 0) continue;
      const at = (y * ground.width + x) * 3;
      for (let k = 0; k < 3; k++) {
        const under = (ground.pixels[at + k] ?? 0) * (4 - hits);
        result.pixels[at + k] = Math.round(((sum[k] ?? 0) + under) / 4);
      }
    }
  }
  return result;
}

/** Returns the corners of a rectangle turned around its middle by an angle in degrees. */
export function turnedCorners(
  middle: Point,
  size: { width: number; height: number },
  angleDegrees: number,
): Quad {
  const [sin, cos] = [Math.sin((angleDegrees * Math.PI) / 180), Math.cos((angleDegrees * Math.PI) / 180)];
  const corner = (sx: number, sy: number): Point => {
    const [x, y] = [(sx * size.width) / 2, (sy * size.height) / 2];
    return [middle[0] + x * cos - y * sin, middle[1] + x * sin + y * cos];
  };
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** Returns the whole image, rotated clockwise by an angle in degrees, on a ground of one colour. */
export function rotate(image: Raster, angleDegrees: number, colour: Rgb = [0, 0, 0]): Raster {
  const radians = (angleDegrees * Math.PI) / 180;
  const [sin, cos] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))];
  const width = Math.round(image.width * cos + image.height * sin);
  const height = Math.round(image.width * sin + image.height * cos);
  const corners = turnedCorners([width / 2, height / 2], image, angleDegrees);
  return warpOnto(createRaster(width, height, colour), image, corners);
}

function addSample({ width, height, pixels }: Raster, u: number, v: number, sum: number[]): void {
  const x0 = Math.max(0, Math.floor(u));
  const y0 = Math.max(0, Math.floor(v));
  const x1 = Math.min(width - 1, x0 + 1);
  const y1 = Math.min(height - 1, y0 + 1);
  const fx = Math.max(0, u - x0);
  const fy = Math.max(0, v - y0);
  const [p, q, r, s] = [y0 * width + x0, y0 * width + x1, y1 * width + x0, y1 * width + x1];
  for (let k = 0; k < 3; k++) {
    const upper = (pixels[p * 3 + k] ?? 0) * (1 - fx) + (pixels[q * 3 + k] ?? 0) * fx;
    const lower = (pixels[r * 3 + k] ?? 0) * (1 - fx) + (pixels[s * 3 + k] ?? 0) * fx;
    sum[k] = (sum[k] ?? 0) + upper * (1 - fy) + lower * fy;
  }
}

function reach(corners: Quad, axis: 0 | 1, limit: number): [number, number] {
  const values = corners.map((corner) => corner[axis]);
  return [Math.max(0, Math.floor(Math.min(...values))), Math.min(limit, Math.ceil(Math.max(...values)))];
}

/** Solves by Gauss-Jordan elimination with pivoting; the last element of each row is the right-hand side. */
function solve(rows: number[][]): number[] {
  const size = rows.length;
  const cell = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(cell(row, column)) > Math.abs(cell(pivot, column))) pivot = row;
    }
    const pivotRow = rows[pivot] ?? [];
    rows[pivot] = rows[column] ?? [];
    const divisor = pivotRow[column] ?? 1;
    rows[column] = pivotRow.map((value) => value / divisor);
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = cell(row, column);
      rows[row] = (rows[row] ?? []).map((value, k) => value - factor * cell(column, k));
    }
  }
  return rows.map((row) => row[size] ?? 0);
}
