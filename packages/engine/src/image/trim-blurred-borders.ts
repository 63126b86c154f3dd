import type { Box } from "../pixels/raster.ts";
import type { EdgeMaps } from "./edge-maps.ts";

const EDGE = 8;
const SUDDEN = 10;
/** Smallest fraction of a seam that is an edge. */
const LEAST_SEAM = 0.5;
const LEAST_BORDER = 0.06;
const LEAST_REST = 0.2;
/**
 * Smallest fraction of sharp pixels in the inner image, and the largest one of the borders relative to it.
 */
const LEAST_DETAIL = 0.02;
const MOST_DETAIL_RATIO = 0.3;

/**
 * Finds the sharp image between two blurred bands, with which apps fill the rest of a vertical or wide video:
 * two straight seams from side to side, with hardly any fine detail outside of them. Returns a box in pixels
 * of the maps, or undefined.
 */
export function findBetweenBlurredBorders(maps: EdgeMaps): Box | undefined {
  const rows = findSharpSpan(maps, false);
  if (rows !== undefined) return { left: 0, top: rows.from, width: maps.width, height: rows.to - rows.from };
  const columns = findSharpSpan(maps, true);
  return columns === undefined
    ? undefined
    : { left: columns.from, top: 0, width: columns.to - columns.from, height: maps.height };
}

function findSharpSpan(maps: EdgeMaps, isUpright: boolean): { from: number; to: number } | undefined {
  const [count, length] = isUpright ? [maps.width, maps.height] : [maps.height, maps.width];
  const seams = measureSeams(maps, isUpright, count, length);
  const strong = [...seams.keys()].filter((line) => (seams[line] ?? 0) >= LEAST_SEAM);
  const starts = strong.filter((line) => line >= count * LEAST_BORDER);
  const ends = strong.filter((line) => line <= count * (1 - LEAST_BORDER));
  const isFarEnough = (from: number, to: number | undefined) => (to ?? 0) - from >= count * LEAST_REST;
  // Most images have no two seams, and the detail costs more than the seams.
  if (!starts.some((from) => isFarEnough(from, ends.at(-1)))) return undefined;
  const detail = sumDetail(maps, isUpright, count, length);
  const meanDetail = (from: number, to: number) =>
    to > from ? ((detail[to] ?? 0) - (detail[from] ?? 0)) / (to - from) : 0;
  let best: { from: number; to: number; score: number } | undefined;
  for (const from of starts) {
    const before = meanDetail(2, from - 3);
    for (const to of ends) {
      if (!isFarEnough(from, to)) continue;
      const inside = meanDetail(from + 4, to - 3);
      const outside = Math.max(before, meanDetail(to + 4, count - 2));
      if (inside < LEAST_DETAIL || outside > inside * MOST_DETAIL_RATIO) continue;
      const score = (seams[from] ?? 0) + (seams[to] ?? 0) + (inside - outside) / inside;
      if (best === undefined || score > best.score) best = { from, to, score };
    }
  }
  return best;
}

/** Returns the fraction of each line that is an edge. */
function measureSeams({ width, across, down }: EdgeMaps, isUpright: boolean, count: number, length: number) {
  const seam = isUpright ? across : down;
  const edges = new Float32Array(count);
  for (let line = 0; line < count; line++) {
    let found = 0;
    for (let i = 0; i < length; i++) {
      if ((seam[isUpright ? i * width + line : line * width + i] ?? 0) >= EDGE) found++;
    }
    edges[line] = found / length;
  }
  return edges;
}

/** Returns the prefix sums of the fraction of each line with fine detail. */
function sumDetail(
  { width, slopeX, slopeY }: EdgeMaps,
  isUpright: boolean,
  count: number,
  length: number,
): Float64Array {
  const detail = new Float64Array(count + 1);
  for (let line = 0; line < count; line++) {
    let changes = 0;
    for (let i = 0; i < length; i++) {
      const at = isUpright ? i * width + line : line * width + i;
      // The second difference is small in a blurred area, whose values change gradually.
      const bend = Math.max(
        Math.abs((slopeX[at + 1] ?? 0) - (slopeX[at - 1] ?? 0)),
        Math.abs((slopeY[at + width] ?? 0) - (slopeY[at - width] ?? 0)),
      );
      if (bend >= SUDDEN) changes++;
    }
    detail[line + 1] = (detail[line] ?? 0) + changes / length;
  }
  return detail;
}
