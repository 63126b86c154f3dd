import type { EdgeMaps } from "./edge-maps.ts";
import type { Box } from "./raster.ts";

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
  const { width, height, across, down, slopeX, slopeY } = maps;
  const [count, length] = isUpright ? [width, height] : [height, width];
  const seam = isUpright ? across : down;
  const seams = new Float32Array(count);
  const detail = new Float64Array(count + 1);
  for (let line = 0; line < count; line++) {
    let edges = 0;
    let changes = 0;
    for (let i = 0; i < length; i++) {
      const at = isUpright ? i * width + line : line * width + i;
      if ((seam[at] ?? 0) >= EDGE) edges++;
      // The second difference is small in a blurred area, whose values change gradually.
      const bend = Math.max(
        Math.abs((slopeX[at + 1] ?? 0) - (slopeX[at - 1] ?? 0)),
        Math.abs((slopeY[at + width] ?? 0) - (slopeY[at - width] ?? 0)),
      );
      if (bend >= SUDDEN) changes++;
    }
    seams[line] = edges / length;
    detail[line + 1] = (detail[line] ?? 0) + changes / length;
  }
  const meanDetail = (from: number, to: number) =>
    to > from ? ((detail[to] ?? 0) - (detail[from] ?? 0)) / (to - from) : 0;
  const strong = [...seams.keys()].filter((line) => (seams[line] ?? 0) >= LEAST_SEAM);
  let best: { from: number; to: number; score: number } | undefined;
  for (const from of strong) {
    if (from < count * LEAST_BORDER) continue;
    for (const to of strong) {
      if (to - from < count * LEAST_REST || to > count * (1 - LEAST_BORDER)) continue;
      const inside = meanDetail(from + 4, to - 3);
      const outside = Math.max(meanDetail(2, from - 3), meanDetail(to + 4, count - 2));
      if (inside < LEAST_DETAIL || outside > inside * MOST_DETAIL_RATIO) continue;
      const score = (seams[from] ?? 0) + (seams[to] ?? 0) + (inside - outside) / inside;
      if (best === undefined || score > best.score) best = { from, to, score };
    }
  }
  return best;
}
