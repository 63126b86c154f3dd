import type { Box } from "../pixels/raster.ts";
import { uniteBoxes, widenBox } from "./boxes.ts";
import type { EdgeMaps } from "./edge-maps.ts";
import { findWord } from "./find-word.ts";
import { findStillAreas, LEAST_RUN } from "./still-areas.ts";

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
const BLOCK = { least: LEAST_RUN, most: 60, stretch: 3, difference: 2 };
const LEAST_BLOCKS = 5;
/** Fraction of a mosaic's area that single blocks have; equal neighbours join. */
const LEAST_BLOCK_SHARE = 0.3;

/**
 * Finds a box of one colour, a mosaic or a large word that hides a part of the area inside borders; boxes are in pixels
 * of the maps. All consist of still pixels: a box is one connected rectangle of them, a mosaic has several squares of
 * one size.
 */
export function findCover(maps: EdgeMaps, within: Box): Box | undefined {
  for (const still of STILL) {
    const rectangles = findStillAreas(maps, within, still)
      .filter(({ box, pixels }) => pixels >= LEAST_FILL * box.width * box.height)
      .map(({ box }) => box);
    const covers = rectangles
      .map((box) => widenBox(box, EDGE_WIDTH, within))
      .filter((box) => isCover(box, within));
    covers.sort((a, b) => b.width * b.height - a.width * a.height);
    const found = covers[0] ?? findMosaic(rectangles, within);
    if (found !== undefined) return found;
  }
  return findWord(maps, within);
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
  const found = widenBox(uniteBoxes(blocks), EDGE_WIDTH, within);
  const covered = blocks.reduce(
    (sum, { width, height }) => sum + (width + 2 * EDGE_WIDTH) * (height + 2 * EDGE_WIDTH),
    0,
  );
  return covered >= LEAST_BLOCK_SHARE * found.width * found.height && isCover(found, within)
    ? found
    : undefined;
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
