import type { Quad } from "./quad.ts";
import type { Raster } from "./raster.ts";

/**
 * Rectifies the part of the raster between four corners. Each new pixel is the mean of two by two bilinear
 * samples, which equals the area mean well where a new pixel covers at most two by two old ones. The border
 * is repeated outside of the raster.
 */
export function sampleQuad(raster: Raster, quad: Quad, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height * 3);
  const [a, b, c, d, e, f, g, h] = squareToQuad(quad);
  const { pixels } = raster;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let down = 0.25; down < 1; down += 0.5) {
        for (let right = 0.25; right < 1; right += 0.5) {
          const u = (x + right) / width;
          const v = (y + down) / height;
          const w = g * u + h * v + 1;
          const px = Math.min(raster.width - 1, Math.max(0, (a * u + b * v + c) / w - 0.5));
          const py = Math.min(raster.height - 1, Math.max(0, (d * u + e * v + f) / w - 0.5));
          const left = Math.floor(px);
          const top = Math.floor(py);
          const at = (top * raster.width + left) * 3;
          const next = left + 1 < raster.width ? at + 3 : at;
          const below = top + 1 < raster.height ? raster.width * 3 : 0;
          const fx = px - left;
          const fy = py - top;
          const p = (1 - fx) * (1 - fy);
          const q = fx * (1 - fy);
          const r = (1 - fx) * fy;
          const s = fx * fy;
          red += p * (pixels[at] ?? 0) + q * (pixels[next] ?? 0);
          red += r * (pixels[at + below] ?? 0) + s * (pixels[next + below] ?? 0);
          green += p * (pixels[at + 1] ?? 0) + q * (pixels[next + 1] ?? 0);
          green += r * (pixels[at + below + 1] ?? 0) + s * (pixels[next + below + 1] ?? 0);
          blue += p * (pixels[at + 2] ?? 0) + q * (pixels[next + 2] ?? 0);
          blue += r * (pixels[at + below + 2] ?? 0) + s * (pixels[next + below + 2] ?? 0);
        }
      }
      const to = (y * width + x) * 3;
      out[to] = red / 4 + 0.5;
      out[to + 1] = green / 4 + 0.5;
      out[to + 2] = blue / 4 + 0.5;
    }
  }
  return out;
}

/** Halves a raster; each pixel is the mean of four. */
export function halve({ pixels, width, height }: Raster): Raster {
  const half: Raster = {
    width: Math.max(1, width >> 1),
    height: Math.max(1, height >> 1),
    pixels: new Uint8Array(Math.max(1, width >> 1) * Math.max(1, height >> 1) * 3),
  };
  const [right, below] = [width > 1 ? 3 : 0, height > 1 ? width * 3 : 0];
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const from = (y * 2 * width + x * 2) * 3;
      const to = (y * half.width + x) * 3;
      for (let k = 0; k < 3; k++) {
        const at = from + k;
        half.pixels[to + k] =
          ((pixels[at] ?? 0) +
            (pixels[at + right] ?? 0) +
            (pixels[at + below] ?? 0) +
            (pixels[at + right + below] ?? 0) +
            2) >>
          2;
      }
    }
  }
  return half;
}

type Homography = readonly [number, number, number, number, number, number, number, number];

/**
 * Maps (u, v) of the unit square to ((au + bv + c) / w, (du + ev + f) / w), w = gu + hv + 1 (Heckbert,
 * Fundamentals of Texture Mapping, 1989).
 */
function squareToQuad([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Quad): Homography {
  const [sumX, sumY] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const base = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (sumX * dy2 - dx2 * sumY) / base;
  const h = (dx1 * sumY - sumX * dy1) / base;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h];
}
