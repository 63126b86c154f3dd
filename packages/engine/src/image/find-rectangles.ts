import type { Box } from "../pixels/raster.ts";
import type { EdgeMaps } from "./edge-maps.ts";
import { overlapOf } from "./quad.ts";

/** A pixel with at least this change is an edge; a pixel below the next limit is flat. */
const EDGE = 10;
const FLAT = 8;
/** Lines per direction, and their minimum distance. */
const MOST_LINES = 22;
const LINE_GAP = 2;
/** The shortest line and the smallest rectangle, in fractions of the sides and of the area of the image. */
const LEAST_LENGTH = 0.08;
const LEAST_AREA = 0.03;
const SHAPES = { least: 0.4, most: 3.4 };
/** Support of a side that is the border of the image. */
const BORDER_SUPPORT = 0.65;
/** Distance from a line at which the background is checked for flatness. */
const OUTSIDE = 3;
const LEAST_SIDE = 0.12;
const LEAST_STRUCTURE = 0.05;
const SAME_OVERLAP = 0.82;

export type FoundRectangle = { box: Box; score: number };

/**
 * Finds the rectangles that are most likely to be an image inside the image: a player in a page, a post,
 * messages of a chat, parts of a collage, an inset, the area between captions. Straight lines are runs of
 * many changing pixels (the maximal sum of Bentley, Programming Pearls, 1984). Every pair of vertical lines
 * is combined with every pair of horizontal ones. The weight of a rectangle is the fraction of its sides that
 * are edges with a flat background outside. Returns dissimilar rectangles, best first, in pixels of the maps.
 */
export function findRectangles(maps: EdgeMaps, most: number): FoundRectangle[] {
  const upright = findLines(maps, true);
  const level = findLines(maps, false);
  const structure = sumTable(maps);
  const sides = {
    left: supportTable(upright, level, "flatBefore"),
    right: supportTable(upright, level, "flatAfter"),
    top: supportTable(level, upright, "flatBefore"),
    bottom: supportTable(level, upright, "flatAfter"),
  };
  const found: FoundRectangle[] = [];
  for (let left = 0; left < upright.length; left++) {
    for (let right = left + 1; right < upright.length; right++) {
      const [x, width] = span(upright, left, right);
      for (let top = 0; top < level.length; top++) {
        const above = sides.top(top, left, right);
        if (above < LEAST_SIDE) continue;
        for (let bottom = top + 1; bottom < level.length; bottom++) {
          const below = sides.bottom(bottom, left, right);
          const before = sides.left(left, top, bottom);
          const after = sides.right(right, top, bottom);
          const least = Math.min(above, below, before, after);
          if (least < LEAST_SIDE) continue;
          const [y, height] = span(level, top, bottom);
          const box = { left: x, top: y, width, height };
          const support = 0.6 * ((above + below + before + after) / 4) + 0.4 * least;
          const score = support * weightOf(box, maps, structure);
          if (score > 0) found.push({ box, score });
        }
      }
    }
  }
  return distinct(found, most);
}

type Line = {
  at: number;
  isBorder: boolean;
  /** Prefix sums along the line: pixels on an edge, and flat pixels before and after it. */
  edge: Uint16Array;
  flatBefore: Uint16Array;
  flatAfter: Uint16Array;
};

/** Returns the weight of a rectangle from its size, shape and content; 0 when it cannot be a scene. */
function weightOf(box: Box, maps: EdgeMaps, structure: Uint32Array): number {
  const { width, height } = box;
  const shape = width / height;
  const area = (width * height) / (maps.width * maps.height);
  if (area < LEAST_AREA || shape < SHAPES.least || shape > SHAPES.most) return 0;
  if (width === maps.width && height === maps.height) return 0;
  if (shareOfStructure(structure, maps.width + 1, box) < LEAST_STRUCTURE) return 0;
  return area ** 0.22 * (shape < 1 ? 0.85 : 1);
}

function span(lines: readonly Line[], first: number, last: number): [at: number, size: number] {
  const at = lines[first]?.at ?? 0;
  return [at, (lines[last]?.at ?? 0) - at];
}

/** Returns the support of every line between every two of the lines that cross it. */
function supportTable(
  lines: readonly Line[],
  crossing: readonly Line[],
  outside: "flatAfter" | "flatBefore",
): (line: number, from: number, to: number) => number {
  const size = crossing.length;
  const table = new Float32Array(lines.length * size * size);
  for (const [at, line] of lines.entries()) {
    for (const [from, start] of crossing.entries()) {
      for (let to = from + 1; to < size; to++) {
        const end = crossing[to]?.at ?? 0;
        table[(at * size + from) * size + to] = supportOf(line, line[outside], start.at, end);
      }
    }
  }
  return (line, from, to) => table[(line * size + from) * size + to] ?? 0;
}

/**
 * Returns 0..1: the fraction of a side that is an edge, weighted by the flatness of the background outside.
 */
function supportOf(line: Line, flat: Uint16Array, from: number, to: number): number {
  if (line.isBorder) return BORDER_SUPPORT;
  // The corners may be round.
  const inset = Math.min(6, Math.floor((to - from) * 0.06)) + 1;
  const [start, end] = [from + inset, to - inset];
  if (end - start < 5) return 0;
  const part = Math.round((end - start) / 5);
  // A side that is missing at one end belongs to a smaller rectangle.
  const weakest = Math.min(shareOf(line.edge, start, start + part), shareOf(line.edge, end - part, end));
  const edge = 0.65 * shareOf(line.edge, start, end) + 0.35 * weakest;
  return Math.max(0, (edge - 0.25) / 0.75) * (0.5 + 0.5 * shareOf(flat, start, end));
}

function shareOf(sums: Uint16Array, from: number, to: number): number {
  return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
}

/**
 * Returns the strongest straight lines of one direction in order of position, and the two borders of the
 * image.
 */
function findLines(maps: EdgeMaps, isUpright: boolean): Line[] {
  const [count, length] = isUpright ? [maps.width, maps.height] : [maps.height, maps.width];
  const runs = Float32Array.from({ length: count }, (_, at) =>
    at < 1 || at >= count - 1 ? 0 : longestRun(maps, at, length, isUpright),
  );
  const offsets = [...runs.keys()]
    .filter((at) => (runs[at] ?? 0) >= length * LEAST_LENGTH)
    .sort((a, b) => (runs[b] ?? 0) - (runs[a] ?? 0) || a - b);
  const selected: number[] = [];
  for (const offset of offsets) {
    if (selected.length === MOST_LINES) break;
    if (selected.every((other) => Math.abs(other - offset) > LINE_GAP)) selected.push(offset);
  }
  const lines = selected.sort((a, b) => a - b).map((at) => createLine(maps, at, length, isUpright));
  const border = (at: number): Line => {
    const none = new Uint16Array(0);
    return { at, isBorder: true, edge: none, flatBefore: none, flatAfter: none };
  };
  return [border(0), ...lines, border(count)];
}

/** Returns the largest sum along a line. An edge pixel adds its strength; another pixel subtracts. */
function longestRun(maps: EdgeMaps, at: number, length: number, isUpright: boolean): number {
  const change = isUpright ? maps.across : maps.down;
  const step = isUpright ? maps.width : 1;
  let index = isUpright ? at : at * maps.width;
  let [sum, best] = [0, 0];
  for (let i = 0; i < length; i++, index += step) {
    const clear = ((change[index] ?? 0) - EDGE) / EDGE;
    sum = Math.max(0, sum + Math.min(1, clear));
    if (sum > best) best = sum;
  }
  return best;
}

function createLine(maps: EdgeMaps, at: number, length: number, isUpright: boolean): Line {
  const { width, across, down } = maps;
  const change = isUpright ? across : down;
  const limit = (isUpright ? maps.width : maps.height) - 1;
  const indexOf = (offset: number, i: number) => (isUpright ? i * width + offset : offset * width + i);
  const sumUp = (isCounted: (i: number) => boolean) => {
    const sums = new Uint16Array(length + 1);
    for (let i = 0; i < length; i++) sums[i + 1] = (sums[i] ?? 0) + (isCounted(i) ? 1 : 0);
    return sums;
  };
  const isFlat = (offset: number, i: number) => {
    const index = indexOf(Math.min(limit, Math.max(0, offset)), i);
    return (across[index] ?? 0) < FLAT && (down[index] ?? 0) < FLAT;
  };
  return {
    at,
    isBorder: false,
    edge: sumUp((i) => (change[indexOf(at, i)] ?? 0) >= EDGE),
    flatBefore: sumUp((i) => isFlat(at - OUTSIDE, i)),
    flatAfter: sumUp((i) => isFlat(at + OUTSIDE, i)),
  };
}

/** Summed-area table (Crow 1984) of the pixels with a change, one column and row larger than the maps. */
function sumTable({ width, height, across, down }: EdgeMaps): Uint32Array {
  const sums = new Uint32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if ((across[at] ?? 0) >= EDGE || (down[at] ?? 0) >= EDGE) row++;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  return sums;
}

function shareOfStructure(sums: Uint32Array, stride: number, { left, top, width, height }: Box): number {
  // The sides are excluded because they always contain changes.
  const [x0, y0, x1, y1] = [left + 3, top + 3, left + width - 3, top + height - 3];
  if (x1 <= x0 || y1 <= y0) return 0;
  const at = (x: number, y: number) => sums[y * stride + x] ?? 0;
  return (at(x1, y1) - at(x0, y1) - at(x1, y0) + at(x0, y0)) / ((x1 - x0) * (y1 - y0));
}

/** Returns the rectangles best first, without those that nearly equal a better one. */
function distinct(found: readonly FoundRectangle[], most: number): FoundRectangle[] {
  const best = found.reduce((highest, { score }) => Math.max(highest, score), 0);
  const selected: FoundRectangle[] = [];
  for (const one of found.filter(({ score }) => score >= best / 4).sort((a, b) => b.score - a.score)) {
    if (selected.length === most) break;
    if (selected.every((other) => overlapOf(one.box, other.box) < SAME_OVERLAP)) selected.push(one);
  }
  return selected;
}
