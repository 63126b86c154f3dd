import { type Sharp, sharp } from "@koma/image";
import type { Rgb } from "@koma/testing/drawing";

/**
 * An image in memory: packed RGB, 8 bits each, row by row, `width * height * 3` bytes. Edits create new
 * rasters.
 */
export type Raster = { width: number; height: number; pixels: Uint8Array };
export type Rectangle = { x: number; y: number; width: number; height: number };

/** Creates a raster of one colour. */
export function createRaster(width: number, height: number, [red, green, blue]: Rgb = [0, 0, 0]): Raster {
  const pixels = new Uint8Array(width * height * 3);
  for (let i = 0; i < pixels.length; i += 3) {
    pixels[i] = red;
    pixels[i + 1] = green;
    pixels[i + 2] = blue;
  }
  return { width, height, pixels };
}

/** Decodes an image file of any format that sharp reads; transparency becomes white. */
export async function decodeRaster(bytes: Uint8Array): Promise<Raster> {
  return finish(sharp(bytes).rotate().flatten({ background: "#ffffff" }));
}

/** Starts a pipeline of sharp with the raster. */
export function startSharp({ width, height, pixels }: Raster): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Returns the pixels of a finished pipeline of sharp. */
export async function finish(pipeline: Sharp): Promise<Raster> {
  const { data, info } = await pipeline
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

export async function encodeJpeg(raster: Raster, quality: number): Promise<Buffer> {
  return startSharp(raster).jpeg({ quality }).toBuffer();
}

export async function encodePng(raster: Raster): Promise<Buffer> {
  return startSharp(raster).png({ compressionLevel: 3 }).toBuffer();
}
