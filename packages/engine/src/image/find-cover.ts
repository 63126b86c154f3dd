import type { Box } from "../pixels/raster.ts";
import type { EdgeMaps } from "./edge-maps.ts";

/**
 * A pixel inside a box of one colour or a block of a mosaic changes by less than this. A cover joins surroundings of
 * a similar colour at the first limit; at the second one, compression divides it.
 */
const STILL = [6, 3];
/** The area of a cover, in fractions of the area of the image. */
const AREA = { least: 0.12, most: 0.6 };
/** Pixels of a box, in fractions of its area: compression changes some. */
const LEAST_FILL = 0.93;
/** Pixels beside a still area that change. */
const EDGE_WIDTH = 2;
/** Blocks of a mosaic: their sides in pixels of the maps, and the largest differences within and between them. */
const BLOCK = { least: 6, most: 60, stretch: 3, difference: 2 };
const LEAST_BLOCKS = 5;
/** Fraction of a mosaic's area that single blocks have; equal neighbours join. */
const LEAST_BLOCK_SHARE = 0.3;

/**
 * Finds a box of one colour or a mosaic that hides a part of the area inside borders; boxes are in pixels of the maps.
 * Both consist of still pixels: a box is one connected rectangle of them, a mosaic has several squares of one size.
 */
export function findCover(maps: EdgeMaps, within: Box): Box | undefined {
  for (const still of STILL) {
    const rectangles = findStillAreas(maps, within, still)
      .filter(({ box, pixels }) => pixels >= LEAST_FILL * box.width * box.height)
      .map(({ box }) => box);
    const covers = rectangles.map((box) => widen(box, within)).filter((box) => isCover(box, within));
    covers.sort((a, b) => b.width * b.height - a.width * a.height);
    const found = covers[0] ?? findMosaic(rectangles, within);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findMosaic(rectangles: readonly Box[], within: Box): Box | undefined {
  const squares = rectangles.filter(
    ({ width, height }) =>
      Math.min(width, height) >= BLOCK.least &&
      Math.max(width, height) <= BLOCK.most &&
      Math.abs(width - height) <= BLOCK.stretch,
  );
  let blocks: Box[] = [];
  for (const { width, height } of squares) {
    const equal = squares.filter(
      (other) =>
        Math.abs(width - other.width) <= BLOCK.difference &&
        Math.abs(height - other.height) <= BLOCK.difference,
    );
    if (equal.length > blocks.length) blocks = equal;
  }
  if (blocks.length < LEAST_BLOCKS) return undefined;
  const left = Math.min(...blocks.map((box) => box.left));
  const top = Math.min(...blocks.map((box) => box.top));
  const right = Math.max(...blocks.map((box) => box.left + box.width));
  const bottom = Math.max(...blocks.map((box) => box.top + box.height));
  const found = widen({ left, top, width: right - left, height: bottom - top }, within);
  const covered = blocks.reduce(
    (sum, { width, height }) => sum + (width + 2 * EDGE_WIDTH) * (height + 2 * EDGE_WIDTH),
    0,
  );
  return covered >= LEAST_BLOCK_SHARE * found.width * found.height && isCover(found, within)
    ? found
    : undefined;
}

function widen({ left, top, width, height }: Box, within: Box): Box {
  const [x, y] = [Math.max(within.left, left - EDGE_WIDTH), Math.max(within.top, top - EDGE_WIDTH)];
  return {
    left: x,
    top: y,
    width: Math.min(within.left + within.width, left + width + EDGE_WIDTH) - x,
    height: Math.min(within.top + within.height, top + height + EDGE_WIDTH) - y,
  };
}

/** A bar from side to side is no cover. */
function isCover({ left, top, width, height }: Box, within: Box): boolean {
  const area = (width * height) / (within.width * within.height);
  const [right, bottom] = [left + width, top + height];
  const isBar =
    (left === within.left && right === within.left + within.width) ||
    (top === within.top && bottom === within.top + within.height);
  return area >= AREA.least && area <= AREA.most && !isBar;
}

type Area = { box: Box; pixels: number };
/** Neighbouring still pixels of a row, `to` excluded, in an area that may have joined another one. */
type Run = { from: number; to: number; area: JoinedArea };
type JoinedArea = {
  joined: JoinedArea | undefined;
  pixels: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
};

/**
 * Returns the connected areas of still pixels inside a box: runs of the rows that are as wide as a block, joined where
 * they touch a run of the row above (Rosenfeld and Pfaltz 1966).
 */
function findStillAreas({ width, across, down }: EdgeMaps, within: Box, still: number): Area[] {
  const areas: JoinedArea[] = [];
  const right = within.left + within.width;
  let above: Run[] = [];
  for (let y = within.top; y < within.top + within.height; y++) {
    const row: Run[] = [];
    const start = y * width;
    let next = 0;
    for (let x = within.left; x < right; x++) {
      const from = x;
      while (x < right && (across[start + x] ?? 0) < still && (down[start + x] ?? 0) < still) x++;
      if (x - from < BLOCK.least) continue;
      let area: JoinedArea | undefined;
      while ((above[next]?.to ?? right) <= from && next < above.length) next++;
      for (let at = next; (above[at]?.from ?? x) < x; at++) {
        const other = rootOf((above[at] as Run).area);
        if (area === undefined) area = other;
        else if (area !== other) join(other, area);
      }
      area ??= { joined: undefined, pixels: 0, left: from, right: x, top: y, bottom: y };
      if (area.pixels === 0) areas.push(area);
      area.pixels += x - from;
      area.left = Math.min(area.left, from);
      area.right = Math.max(area.right, x);
      area.bottom = y;
      row.push({ from, to: x, area });
    }
    above = row;
  }
  return areas
    .filter(({ joined }) => joined === undefined)
    .map(({ pixels, left, right, top, bottom }) => ({
      pixels,
      box: { left, top, width: right - left, height: bottom + 1 - top },
    }));
}

function rootOf(area: JoinedArea): JoinedArea {
  let root = area;
  while (root.joined !== undefined) root = root.joined;
  return root;
}

function join(one: JoinedArea, into: JoinedArea): void {
  one.joined = into;
  into.pixels += one.pixels;
  into.left = Math.min(into.left, one.left);
  into.right = Math.max(into.right, one.right);
  into.top = Math.min(into.top, one.top);
  into.bottom = Math.max(into.bottom, one.bottom);
}
