import { openImageKernel } from "../pixels/image-kernel.ts";
import type { Box, Raster } from "../pixels/raster.ts";
import { stretch } from "../pixels/stretch.ts";
import { boxOfQuad, type Quad } from "./quad.ts";
import { squareToQuad } from "./square-to-quad.ts";

/**
 * Samples the pixels of an image between four corners, stretched to a fixed size. An upright box is sampled
 * by area, like videos. Other quads are sampled by a homography on a halved copy (mip-mapping, Williams 1983)
 * of which a pixel covers at most two pixels.
 */
export function createViewSampler(raster: Raster, width: number, height: number) {
  return (corners: Quad): Uint8Array => {
    const box = boxOfQuad(corners);
    if (box !== undefined && isInside(box, raster)) return stretch(raster, box, width, height);
    const shrink = Math.max(longest(corners, 0) / width, longest(corners, 1) / height);
    const level = Math.max(0, Math.min(4, Math.ceil(Math.log2(shrink / 2))));
    const toHomography = (halved: { width: number; height: number }) => {
      const scale = { x: halved.width / raster.width, y: halved.height / raster.height };
      const scalePoint = ([x, y]: Quad[number]) => [x * scale.x, y * scale.y] as const;
      const [a, b, c, d] = corners;
      return squareToQuad([scalePoint(a), scalePoint(b), scalePoint(c), scalePoint(d)]);
    };
    return openImageKernel().sampleQuad(raster, level, toHomography, width, height);
  };
}

/** True for a box of whole pixels inside the raster. */
export function isInside(
  { left, top, width, height }: Box,
  raster: { width: number; height: number },
): boolean {
  return left >= 0 && top >= 0 && left + width <= raster.width && top + height <= raster.height;
}

/** Returns the longer of the two sides that run across (0) or down (1) the view. */
function longest([a, b, c, d]: Quad, direction: 0 | 1): number {
  const sides =
    direction === 0
      ? [
          [a, b],
          [d, c],
        ]
      : [
          [a, d],
          [b, c],
        ];
  return Math.max(
    ...sides.map(([p, q]) => Math.hypot((p?.[0] ?? 0) - (q?.[0] ?? 0), (p?.[1] ?? 0) - (q?.[1] ?? 0))),
  );
}
