import type { Homography } from "../pixels/image-kernel.ts";
import type { Quad } from "./quad.ts";

/**
 * Returns the homography of the unit square to a quad (Heckbert, Fundamentals of Texture Mapping, 1989).
 */
export function squareToQuad([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Quad): Homography {
  const [sumX, sumY] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const base = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (sumX * dy2 - dx2 * sumY) / base;
  const h = (dx1 * sumY - sumX * dy1) / base;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h];
}
