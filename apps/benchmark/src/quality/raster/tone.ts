import type { Rgb } from "@koma/testing/drawing";
import { finish, type Raster, startSharp } from "./raster.ts";

/** Three rows with the factors of red, green and blue for the new red, green and blue. */
export type ColourMatrix = readonly [Rgb, Rgb, Rgb];

/** Maps every pixel by a function of its colour; results are rounded and clamped to 0..255. */
export function mapColours(
  raster: Raster,
  map: (red: number, green: number, blue: number, x: number, y: number) => Rgb,
): Raster {
  const pixels = new Uint8ClampedArray(raster.pixels.length);
  let at = 0;
  for (let y = 0; y < raster.height; y++) {
    for (let x = 0; x < raster.width; x++) {
      const [red, green, blue] = map(
        raster.pixels[at] ?? 0,
        raster.pixels[at + 1] ?? 0,
        raster.pixels[at + 2] ?? 0,
        x,
        y,
      );
      pixels[at] = red;
      pixels[at + 1] = green;
      pixels[at + 2] = blue;
      at += 3;
    }
  }
  return { ...raster, pixels: new Uint8Array(pixels.buffer) };
}

/**
 * Factors around middle grey (contrast) and around the pixel's own luma (saturation); brightness multiplies.
 */
export function changeTone(
  raster: Raster,
  { brightness, contrast, saturation }: { brightness: number; contrast: number; saturation: number },
): Raster {
  const tone = (value: number) => ((value - 128) * contrast + 128) * brightness;
  return mapColours(raster, (red, green, blue) => {
    const luma = lumaOf(red, green, blue);
    return [
      tone(luma + (red - luma) * saturation),
      tone(luma + (green - luma) * saturation),
      tone(luma + (blue - luma) * saturation),
    ];
  });
}

export function applyMatrix(raster: Raster, [r, g, b]: ColourMatrix): Raster {
  return mapColours(raster, (red, green, blue) => [
    r[0] * red + r[1] * green + r[2] * blue,
    g[0] * red + g[1] * green + g[2] * blue,
    b[0] * red + b[1] * green + b[2] * blue,
  ]);
}

/** Returns the luma of BT.601, 0..255. */
export function lumaOf(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Applies a Gaussian blur; `sigma` in pixels, no effect below 0.3. */
export async function blur(raster: Raster, sigma: number): Promise<Raster> {
  return sigma < 0.3 ? raster : finish(startSharp(raster).blur(sigma));
}

/** Applies an unsharp mask in the style of phone filters. */
export async function sharpen(raster: Raster, sigma: number, strength: number): Promise<Raster> {
  return finish(startSharp(raster).sharpen({ sigma, m1: strength, m2: strength * 2 }));
}
