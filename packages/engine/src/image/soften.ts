import { openImageKernel } from "../pixels/image-kernel.ts";
import type { Raster } from "../pixels/raster.ts";
import { stretch } from "../pixels/stretch.ts";

/** Brightness up to which a pixel is black, and from which on it is white. */
const BLACK = 16;
const WHITE = 239;
/** The others lie on edges that were scaled. A page of text has less black. */
const LEAST_SHARE = 0.88;
const LEAST_SHARE_OF_TONE = 0.12;
/** Sides of the areas whose means are the tones of a pixel, as shares of the longest side. */
const FINE = 1 / 100;
const COARSE = 1 / 24;

/** True for an image that has lost its tones: black and white, and hardly anything between. */
export function hasTwoTones({ pixels }: Raster): boolean {
  let [black, white, all] = [0, 0, 0];
  // A seventh of the pixels.
  for (let at = 0; at + 2 < pixels.length; at += 21, all++) {
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    if (Math.max(red, green, blue) <= BLACK) black++;
    else if (Math.min(red, green, blue) >= WHITE) white++;
  }
  return black + white >= all * LEAST_SHARE && Math.min(black, white) >= all * LEAST_SHARE_OF_TONE;
}

/**
 * Gives an image of two tones others again: each pixel becomes the mean of a small and a large area around it.
 * What a threshold leaves of a frame are its outlines and its large dark and bright areas; descriptors and
 * thumbnails of frames have these as well.
 */
export function soften(raster: Raster): Raster {
  const [fine, coarse] = [blur(raster, FINE), blur(raster, COARSE)];
  return { ...raster, pixels: fine.map((value, at) => (value + (coarse[at] ?? 0)) >> 1) };
}

/** Reduces an image to one pixel per area, and enlarges it smoothly. */
function blur(raster: Raster, share: number): Uint8Array {
  const { width, height } = raster;
  const area = Math.max(1, Math.max(width, height) * share);
  const across = Math.max(1, Math.round(width / area));
  const down = Math.max(1, Math.round(height / area));
  const pixels = stretch(raster, { left: 0, top: 0, width, height }, across, down);
  const whole = [across, 0, 0, 0, down, 0, 0, 0] as const;
  return openImageKernel().sampleQuad({ pixels, width: across, height: down }, 0, () => whole, width, height);
}
