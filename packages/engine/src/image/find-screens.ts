import type { EdgeMaps } from "./edge-maps.ts";
import { distanceOf, type Point, type Quad } from "./quad.ts";
import { type LineVotes, pickLines, type SlantedLine } from "./slanted-lines.ts";

const BORDER_SUPPORT = 0.3;
const LEAST_SUPPORT = 0.25;
/** The smallest screen, in fractions of the sides of the image. */
const LEAST_SIDE = 0.22;
const SHAPES = { least: 0.55, most: 3.2 };
/** Largest ratio of opposite sides of a screen in perspective. */
const MOST_PERSPECTIVE = 1.6;

export type FoundScreen = { quad: Quad; score: number };

/**
 * Finds quadrilaterals that may be a screen or a print photographed at an angle, or an image rotated by some
 * degrees: pairs of nearly vertical and nearly horizontal lines, weighted by the fraction of each side that
 * is an edge of one sign. Returns them best first, in pixels of the maps.
 */
export function findScreens(
  maps: EdgeMaps,
  votes: { upright: LineVotes; level: LineVotes },
  most: number,
): FoundScreen[] {
  const upright = pickLines(maps, votes.upright).sort((a, b) => a.offset - b.offset);
  const level = pickLines(maps, votes.level).sort((a, b) => a.offset - b.offset);
  // Two lines are the corner of hundreds of quadrilaterals.
  const crossings = upright.map((line) => level.map((other) => crossing(line, other, maps)));
  const ends = pairsOf(level, maps.height * LEAST_SIDE);
  const found: FoundScreen[] = [];
  for (const sides of pairsOf(upright, maps.width * LEAST_SIDE)) {
    const [ofLeft, ofRight] = [crossings[sides.first] ?? [], crossings[sides.second] ?? []];
    for (const end of ends) {
      if (sides.areBorders && end.areBorders) continue;
      const a = ofLeft[end.first];
      const b = ofRight[end.first];
      const c = ofRight[end.second];
      const d = ofLeft[end.second];
      if (a === undefined || b === undefined || c === undefined || d === undefined) continue;
      const quad: Quad = [a, b, c, d];
      const score = scoreOf(quad, sides.lines, end.lines, maps);
      if (score > 0) found.push({ quad, score });
    }
  }
  const reach = Math.max(maps.width, maps.height) * 0.03;
  const selected: FoundScreen[] = [];
  for (const one of found.sort((a, b) => b.score - a.score)) {
    if (selected.length === most) break;
    if (selected.every((other) => distanceOf(one.quad, other.quad) > reach)) selected.push(one);
  }
  return selected;
}

type LinePair = {
  first: number;
  second: number;
  lines: readonly [SlantedLine, SlantedLine];
  areBorders: boolean;
};

/** Returns every two of the lines, in their order, that are at least this far apart. */
function pairsOf(lines: readonly SlantedLine[], least: number): LinePair[] {
  return lines.flatMap((one, first) =>
    lines.flatMap((other, second): LinePair[] => {
      if (second <= first || other.offset - one.offset < least) return [];
      return [{ first, second, lines: [one, other], areBorders: one.isBorder && other.isBorder }];
    }),
  );
}

/** Returns the intersection of x = p + t (y - h / 2) and y = q + s (x - w / 2). */
function crossing(upright: SlantedLine, level: SlantedLine, { width, height }: EdgeMaps): Point {
  const [p, t, q, s] = [upright.offset, upright.tilt, level.offset, level.tilt];
  const x = (p + t * (q - (s * width) / 2 - height / 2)) / (1 - t * s);
  return [x, q + s * (x - width / 2)];
}

function scoreOf(
  [a, b, c, d]: Quad,
  [left, right]: LinePair["lines"],
  [top, bottom]: LinePair["lines"],
  { width, height }: EdgeMaps,
): number {
  const upper = distance(a, b);
  const lower = distance(d, c);
  const before = distance(a, d);
  const after = distance(b, c);
  const shape = (upper + lower) / (before + after);
  if (shape < SHAPES.least || shape > SHAPES.most) return 0;
  if (ratio(upper, lower) > MOST_PERSPECTIVE || ratio(before, after) > MOST_PERSPECTIVE) return 0;
  const ofLeft = supportOf(left, a[1], d[1]);
  const ofRight = supportOf(right, b[1], c[1]);
  const ofTop = supportOf(top, a[0], b[0]);
  const ofBottom = supportOf(bottom, d[0], c[0]);
  const least = Math.min(ofLeft, ofRight, ofTop, ofBottom);
  if (least < LEAST_SUPPORT) return 0;
  const mean = (ofLeft + ofRight + ofTop + ofBottom) / 4;
  const area = ((upper + lower) * (before + after)) / (4 * width * height);
  return (0.5 * mean + 0.5 * least) * Math.min(1, area) ** 0.15;
}

/**
 * Returns 0..1: the fraction of a side inside the image that is an edge with the same darker side throughout.
 */
function supportOf(line: SlantedLine, from: number, to: number): number {
  if (line.isBorder) return BORDER_SUPPORT;
  const last = line.sums.length - 1;
  const start = Math.max(0, Math.min(last, Math.round(from) + 2));
  const end = Math.max(0, Math.min(last, Math.round(to) - 2));
  if (end - start < (to - from) * 0.5) return 0;
  return Math.abs((line.sums[end] ?? 0) - (line.sums[start] ?? 0)) / (end - start);
}

function distance(a: Point, b: Point): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2);
}

function ratio(a: number, b: number): number {
  return Math.max(a, b) / Math.max(1, Math.min(a, b));
}
