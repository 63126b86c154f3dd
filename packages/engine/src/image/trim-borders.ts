import type { Box, Raster } from "../pixels/raster.ts";

/**
 * A line belongs to the border when the mean difference of its pixels from the border's colour is at most
 * this …
 */
const MEAN_TOLERANCE = 7;
/**
 * … and all but this fraction of them differ by less than `PIXEL_TOLERANCE` (JPEG noise, a corner of a
 * watermark).
 */
const OUTLIER_SHARE = 0.02;
const PIXEL_TOLERANCE = 28;
const LEAST_TRIM_SHARE = 0.02;
const LEAST_REST_SHARE = 0.1;

/**
 * Finds the image without bars of one colour along its sides, which players, editors and social media add.
 * Returns undefined when there are no relevant bars, or when hardly any content would remain.
 */
export function findTrimmedBox(raster: Raster): Box | undefined {
  let box: Box = { left: 0, top: 0, width: raster.width, height: raster.height };
  // Two rounds: bars above and below hide bars at the sides, and the reverse.
  for (let round = 0; round < 2; round++) {
    const top = countBorderLines(raster, box, "top");
    box = { ...box, top: box.top + top, height: box.height - top };
    box = { ...box, height: box.height - countBorderLines(raster, box, "bottom") };
    const left = countBorderLines(raster, box, "left");
    box = { ...box, left: box.left + left, width: box.width - left };
    box = { ...box, width: box.width - countBorderLines(raster, box, "right") };
  }
  const isTrimmed =
    box.width <= raster.width * (1 - LEAST_TRIM_SHARE) ||
    box.height <= raster.height * (1 - LEAST_TRIM_SHARE);
  const isEnough = box.width * box.height >= raster.width * raster.height * LEAST_REST_SHARE;
  return isTrimmed && isEnough ? box : undefined;
}

type Side = "bottom" | "left" | "right" | "top";

/** Counts the lines from one side on that equal the outermost one, which must have one colour. */
function countBorderLines(raster: Raster, box: Box, side: Side): number {
  const isRow = side === "top" || side === "bottom";
  const depth = isRow ? box.height : box.width;
  const length = isRow ? box.width : box.height;
  if (depth < 2) return 0;
  const step = (isRow ? 1 : raster.width) * 3;
  const lineStart = (line: number) => {
    const across = side === "top" || side === "left" ? line : depth - 1 - line;
    const x = box.left + (isRow ? 0 : across);
    const y = box.top + (isRow ? across : 0);
    return (y * raster.width + x) * 3;
  };
  const colour = meanColour(raster.pixels, lineStart(0), step, length);
  let count = 0;
  while (count < depth - 1 && isBorderLine(raster.pixels, lineStart(count), step, length, colour)) count++;
  // The line at which bar and image meet is a mixture of both.
  return count > 0 ? Math.min(count + 1, depth - 1) : 0;
}

type Colour = [red: number, green: number, blue: number];

function isBorderLine(
  pixels: Uint8Array,
  start: number,
  step: number,
  length: number,
  colour: Colour,
): boolean {
  let sum = 0;
  let outliers = 0;
  for (let pixel = 0, at = start; pixel < length; pixel++, at += step) {
    const difference =
      (Math.abs((pixels[at] ?? 0) - colour[0]) +
        Math.abs((pixels[at + 1] ?? 0) - colour[1]) +
        Math.abs((pixels[at + 2] ?? 0) - colour[2])) /
      3;
    sum += difference;
    if (difference > PIXEL_TOLERANCE) outliers++;
  }
  return sum <= MEAN_TOLERANCE * length && outliers <= OUTLIER_SHARE * length;
}

function meanColour(pixels: Uint8Array, start: number, step: number, length: number): Colour {
  const sum: Colour = [0, 0, 0];
  for (let pixel = 0, at = start; pixel < length; pixel++, at += step) {
    sum[0] += pixels[at] ?? 0;
    sum[1] += pixels[at + 1] ?? 0;
    sum[2] += pixels[at + 2] ?? 0;
  }
  return [sum[0] / length, sum[1] / length, sum[2] / length];
}
