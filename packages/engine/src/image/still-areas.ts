import type { Box } from "../pixels/raster.ts";
import type { EdgeMaps } from "./edge-maps.ts";

/** The shortest run of still pixels. */
export const LEAST_RUN = 6;

/** A connected area of still pixels. */
export type StillArea = { box: Box; pixels: number };
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
 * Returns the connected areas of pixels inside a box that change by less than `still` levels: runs of the rows, joined
 * where they touch a run of the row above (Rosenfeld and Pfaltz 1966).
 */
export function findStillAreas({ width, across, down }: EdgeMaps, within: Box, still: number): StillArea[] {
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
      if (x - from < LEAST_RUN) continue;
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
