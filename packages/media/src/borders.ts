/** The black bars of a video as fractions of its width (left, right) and height (top, bottom), 0..1. */
export type Borders = { left: number; top: number; right: number; bottom: number };

/** The borders of a video without bars. */
export const noBorders: Borders = { left: 0, top: 0, right: 0, bottom: 0 };

/**
 * Returns the filter that removes the borders, rounded outwards to sizes that every pixel format supports;
 * empty without borders.
 */
export function cropFilter({ left, top, right, bottom }: Borders): string {
  if (left + top + right + bottom === 0) return "";
  const [x, y] = [evenBelow("iw", left), evenBelow("ih", top)];
  const width = `min(iw,${evenAbove("iw", 1 - right)})-${x}`;
  const height = `min(ih,${evenAbove("ih", 1 - bottom)})-${y}`;
  return `crop=w='${width}':h='${height}':x='${x}':y='${y}',`;
}

/** Maximum values of each pixel of a video (the largest of the three colours), row by row. */
export type BrightestImage = { width: number; height: number; values: Uint8Array };

/** Number of lines at each side of a frame. */
export type BlackLines = { left: number; top: number; right: number; bottom: number };

// Encoded bars stay below 12 even beside bright drawings; the darkest night scenes of 24 shots do not.
const BLACK = 24;
const STRAY_SHARE = 0.005;
const LEAST_SHARE = 0.015;
const LEAST_REST_SHARE = 0.3;
const CLEAR = 48;
const CLEAR_SHARE = 0.5;
/** Fewer frames contain fewer bright pixels, but the edge of a bar has the same length in them. */
const FEW_IMAGES = 8;
const FEW_CLEAR_SHARE = 0.9;
const EDGE_SHARE = 0.02;

/** Counts the lines at each side that are black in all frames; undefined when all pixels are. */
export function countBlackLines(image: BrightestImage): BlackLines | undefined {
  const { width, height } = image;
  const isBlackRow = (y: number) => shareAbove(image, BLACK, rowOf(image, y)) <= STRAY_SHARE;
  const top = countWhile(height, isBlackRow);
  if (top === height) return undefined;
  const bottom = countWhile(height, (line) => isBlackRow(height - 1 - line));
  const isBlackColumn = (x: number) =>
    shareAbove(image, BLACK, { x, y: top, stepX: 0, stepY: 1, count: height - top - bottom }) <= STRAY_SHARE;
  const left = countWhile(width, isBlackColumn);
  const right = countWhile(width - left, (line) => isBlackColumn(width - 1 - line));
  return left === width ? undefined : { left, top, right, bottom };
}

/** True when no side is wide enough to be a bar. */
export function isNegligible(black: BlackLines, { width, height }: BrightestImage): boolean {
  const { left, top, right, bottom } = black;
  return Math.max(left, right) < width * LEAST_SHARE && Math.max(top, bottom) < height * LEAST_SHARE;
}

/**
 * Returns the black lines that are bars: those that end in a straight edge with clear content behind it. The
 * dark area around a lamp, or another drawing on black, has no such edge. `imageCount` is the number of
 * combined frames.
 */
export function toBorders(black: BlackLines, image: BrightestImage, imageCount: number): Borders {
  const clearShare = imageCount < FEW_IMAGES ? FEW_CLEAR_SHARE : CLEAR_SHARE;
  const { width, height } = image;
  const { left, top, right, bottom } = black;
  const across = { x: left, y: 0, stepX: 1, stepY: 0, count: width - left - right };
  const down = { x: 0, y: top, stepX: 0, stepY: 1, count: height - top - bottom };
  const isRowClear = (y: number) => shareAbove(image, CLEAR, { ...across, y }) >= clearShare;
  const isColumnClear = (x: number) => shareAbove(image, CLEAR, { ...down, x }) >= clearShare;
  const share = (lines: number, size: number, isClear: (line: number) => boolean): number => {
    if (lines < size * LEAST_SHARE) return 0;
    const isEdge = range(Math.ceil(size * EDGE_SHARE)).some((behind) => isClear(lines + behind));
    return isEdge ? lines / size : 0;
  };
  const borders = {
    left: share(left, width, isColumnClear),
    top: share(top, height, isRowClear),
    right: share(right, width, (line) => isColumnClear(width - 1 - line)),
    bottom: share(bottom, height, (line) => isRowClear(height - 1 - line)),
  };
  const rest = Math.min(1 - borders.left - borders.right, 1 - borders.top - borders.bottom);
  return rest < LEAST_REST_SHARE ? noBorders : borders;
}

function evenBelow(size: string, share: number): string {
  return `2*floor(${size}*${share.toFixed(6)}/2)`;
}

function evenAbove(size: string, share: number): string {
  return `2*ceil(${size}*${share.toFixed(6)}/2)`;
}

type Line = { x: number; y: number; stepX: number; stepY: number; count: number };

function rowOf({ width }: BrightestImage, y: number): Line {
  return { x: 0, y, stepX: 1, stepY: 0, count: width };
}

function shareAbove({ width, values }: BrightestImage, limit: number, line: Line): number {
  let above = 0;
  let at = line.y * width + line.x;
  for (let i = 0; i < line.count; i++, at += line.stepY * width + line.stepX) {
    if ((values[at] ?? 0) > limit) above++;
  }
  return line.count > 0 ? above / line.count : 0;
}

function countWhile(limit: number, holds: (line: number) => boolean): number {
  let count = 0;
  while (count < limit && holds(count)) count++;
  return count;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
