import { createCoverTest } from "../image/cover.ts";
import type { Cover } from "../image/image-description.ts";
import type { Patch } from "./patch.ts";
import type { Projection } from "./projection.ts";

/**
 * Returns a function that makes the values of a patch inside the cover of an image invalid, so that they are not
 * compared. The patch shows the image under the projection.
 */
export function createCoverMask(cover: Cover, image: { width: number; height: number }) {
  const isCovered = createCoverTest(cover, image);
  return (patch: Patch, projection: Projection): void => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = projection;
    for (let row = 0, at = 0; row < patch.height; row++) {
      const v = (row + 0.5) / patch.height - 0.5;
      for (let column = 0; column < patch.width; column++, at++) {
        const u = (column + 0.5) / patch.width - 0.5;
        const depth = g * u + h * v + i;
        const atX = (a * u + b * v + c) / depth;
        const atY = (d * u + e * v + f) / depth;
        if (!isCovered(atX, atY)) continue;
        patch.valid[at] = 0;
        patch.values[at] = 0;
      }
    }
  };
}
