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
  const found: FoundScreen[] = [];
  for (const [i, left] of upright.entries()) {
    for (const right of upright.slice(i + 1)) {
      if (right.offset - left.offset < maps.width * LEAST_SIDE) continue;
      for (const [j, top] of level.entries()) {
        for (let k = j + 1; k < level.length; k++) {
          const bottom = level[k];
          if (bottom === undefined || bottom.offset - top.offset < maps.height * LEAST_SIDE) continue;
          if (left.isBorder && right.isBorder && top.isBorder && bottom.isBorder) continue;
          const quad = cornersOf({ left, right, top, bottom }, maps);
          const score = scoreOf(quad, { left, right, top, bottom }, maps);
          if (score > 0) found.push({ quad, score });
        }
      }
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

type Sides = { left: SlantedLine; right: SlantedLine; top: SlantedLine; bottom: SlantedLine };

function cornersOf({ left, right, top, bottom }: Sides, maps: EdgeMaps): Quad {
  return [
    crossing(left, top, maps),
    crossing(right, top, maps),
    crossing(right, bottom, maps),
    crossing(left, bottom, maps),
  ];
}

/** Returns the intersection of x = p + t (y - h / 2) and y = q + s (x - w / 2). */
function crossing(upright: SlantedLine, level: SlantedLine, { width, height }: EdgeMaps): Point {
  const [p, t, q, s] = [upright.offset, upright.tilt, level.offset, level.tilt];
  const x = (p + t * (q - (s * width) / 2 - height / 2)) / (1 - t * s);
  return [x, q + s * (x - width / 2)];
}

function scoreOf(quad: Quad, { left, right, top, bottom }: Sides, { width, height }: EdgeMaps): number {
  const [a, b, c, d] = quad;
  const [upper, lower, before, after] = [distance(a, b), distance(d, c), distance(a, d), distance(b, c)];
  const shape = (upper + lower) / (before + after);
  if (shape < SHAPES.least || shape > SHAPES.most) return 0;
  if (ratio(upper, lower) > MOST_PERSPECTIVE || ratio(before, after) > MOST_PERSPECTIVE) return 0;
  const supports = [
    supportOf(left, a[1], d[1]),
    supportOf(right, b[1], c[1]),
    supportOf(top, a[0], b[0]),
    supportOf(bottom, d[0], c[0]),
  ];
  const least = Math.min(...supports);
  if (least < LEAST_SUPPORT) return 0;
  const mean = supports.reduce((sum, support) => sum + support, 0) / 4;
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

function distance([x, y]: Point, [u, v]: Point): number {
  return Math.hypot(x - u, y - v);
}

function ratio(a: number, b: number): number {
  return Math.max(a, b) / Math.max(1, Math.min(a, b));
}
