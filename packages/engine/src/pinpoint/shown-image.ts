import { createCoverTest } from "../image/cover.ts";
import type { Cover } from "../image/image-description.ts";
import { STRIP_PIXELS, stripSize } from "../strips/strip-frame.ts";
import { type GreyPyramid, levelFor } from "../verification/grey-pyramid.ts";
import type { Projection } from "../verification/projection.ts";

/** How a frame is located in an image. */
export type Placement = { projection: Projection; isMirrored: boolean; isInverted: boolean };

/** Grey values, and 1 where the image has the pixel. */
export type ShownPixels = { values: Float32Array; isValid: Uint8Array };

/** An image where a frame shows it: 80 by 48 pixels. */
export type ShownImage = ShownPixels & {
  /** Share of the image that the frame covers, and share of the frame that is outside of the image, 0..1. */
  explainedShare: number;
  hiddenShare: number;
};

const { width: WIDTH, height: HEIGHT } = stripSize;

/** Samples an image at the pixels of a frame; those of the cover are not valid. */
export function sampleShownImage(
  pyramid: GreyPyramid,
  { projection, isMirrored, isInverted }: Placement,
  cover: Cover | undefined,
): ShownImage {
  const level = levelFor(pyramid, projection, stripSize);
  const raster = pyramid.levels[level];
  const whole = pyramid.levels[0];
  const values = new Float32Array(STRIP_PIXELS);
  const isValid = new Uint8Array(STRIP_PIXELS);
  if (raster === undefined || whole === undefined)
    return { values, isValid, explainedShare: 0, hiddenShare: 1 };
  const isCovered = cover && createCoverTest(cover, whole);
  const scale = 2 ** -level;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 1] = projection;
  const { values: grey, width, height } = raster;
  const [lastX, lastY] = [width - 1, height - 1];
  let inside = 0;
  for (let row = 0, at = 0; row < HEIGHT; row++) {
    const v = (row + 0.5) / HEIGHT - 0.5;
    for (let column = 0; column < WIDTH; column++, at++) {
      const u = ((isMirrored ? WIDTH - 1 - column : column) + 0.5) / WIDTH - 0.5;
      const depth = g * u + h * v + i;
      const x = (a * u + b * v + c) / depth;
      const y = (d * u + e * v + f) / depth;
      if (!(x >= 0 && y >= 0 && x <= whole.width && y <= whole.height)) continue;
      inside++;
      if (isCovered?.(x, y) === true) continue;
      // Interpolated bilinearly; beyond the edges the value is that of the edge.
      const pixelX = Math.max(0, Math.min(lastX, x * scale - 0.5));
      const pixelY = Math.max(0, Math.min(lastY, y * scale - 0.5));
      const left = Math.floor(pixelX);
      const top = Math.floor(pixelY);
      const shareX = pixelX - left;
      const first = top * width + left;
      const right = left < lastX ? 1 : 0;
      const below = first + (top < lastY ? width : 0);
      const upper = (grey[first] ?? 0) * (1 - shareX) + (grey[first + right] ?? 0) * shareX;
      const lower = (grey[below] ?? 0) * (1 - shareX) + (grey[below + right] ?? 0) * shareX;
      const value = upper + (lower - upper) * (pixelY - top);
      values[at] = isInverted ? 255 - value : value;
      isValid[at] = 1;
    }
  }
  const share = inside / STRIP_PIXELS;
  const area = Math.abs(a * e - b * d);
  return {
    values,
    isValid,
    explainedShare: Math.min(1, (share * area) / (whole.width * whole.height)),
    hiddenShare: 1 - share,
  };
}

/** Returns the image at half the size, that of a stored thumbnail. */
export function halveShown({ values, isValid }: ShownPixels): ShownPixels {
  const shares = halve(isValid);
  return { values: halve(values), isValid: Uint8Array.from(shares, (share) => Number(share === 1)) };
}

/** Returns the means of 2 by 2 pixels of a frame of 80 by 48. */
export function halve(pixels: ArrayLike<number>): Float32Array {
  const halved = new Float32Array(STRIP_PIXELS / 4);
  for (let row = 0, to = 0; row < HEIGHT; row += 2) {
    for (let at = row * WIDTH; at < (row + 1) * WIDTH; at += 2, to++) {
      const upper = (pixels[at] ?? 0) + (pixels[at + 1] ?? 0);
      halved[to] = (upper + (pixels[at + WIDTH] ?? 0) + (pixels[at + WIDTH + 1] ?? 0)) / 4;
    }
  }
  return halved;
}
