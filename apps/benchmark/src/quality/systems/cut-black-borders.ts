import { crop } from "../raster/geometry.ts";
import type { Raster } from "../raster/raster.ts";
import { lumaOf } from "../raster/tone.ts";

const [darkest, mostStray] = [20, 0.01];

/** Removes rows and columns at the edges of the image that are black except for a few stray pixels. */
export function cutBlackBorders(raster: Raster): Raster {
  const { width, height } = raster;
  const rows = range(height, (y) => isBlack(raster, (i) => y * width + i, width));
  const columns = range(width, (x) =>
    isBlack(raster, (i) => (rows.from + i) * width + x, rows.to - rows.from),
  );
  const isAllBlack = rows.to <= rows.from || columns.to <= columns.from;
  // The rest of a night scene may be a small spot: then the black belongs to the scene.
  if (isAllBlack || rows.to - rows.from < height * 0.2 || columns.to - columns.from < width * 0.2)
    return raster;
  return crop(raster, {
    x: columns.from,
    y: rows.from,
    width: columns.to - columns.from,
    height: rows.to - rows.from,
  });
}

function range(length: number, isEmpty: (index: number) => boolean): { from: number; to: number } {
  let [from, to] = [0, length];
  while (from < to && isEmpty(from)) from++;
  while (to > from && isEmpty(to - 1)) to--;
  return { from, to };
}

function isBlack({ pixels }: Raster, pixelAt: (i: number) => number, count: number): boolean {
  let stray = 0;
  for (let i = 0; i < count; i++) {
    const at = pixelAt(i) * 3;
    if (lumaOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) > darkest) stray++;
  }
  return stray <= count * mostStray;
}
