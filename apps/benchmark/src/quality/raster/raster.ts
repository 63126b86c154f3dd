import { type Sharp, sharp } from "@koma/image";
import type { Rgb } from "@koma/sample-library/drawing";

/** A picture in memory: packed RGB, 8 bits each, row by row, `width * height * 3` bytes. Edits make new ones. */
export type Raster = { width: number; height: number; pixels: Uint8Array };
export type Rectangle = { x: number; y: number; width: number; height: number };

/** One colour all over. */
export function createRaster(width: number, height: number, [red, green, blue]: Rgb = [0, 0, 0]): Raster {
  const pixels = new Uint8Array(width * height * 3);
  for (let i = 0; i < pixels.length; i += 3) {
    pixels[i] = red;
    pixels[i + 1] = green;
    pixels[i + 2] = blue;
  }
  return { width, height, pixels };
}

/** The pixels of a picture file of any kind that sharp reads; transparency falls on white. */
export async function decodeRaster(bytes: Uint8Array): Promise<Raster> {
  return finish(sharp(bytes).rotate().flatten({ background: "#ffffff" }));
}

/** A pipeline of sharp that starts with the raster. */
export function startSharp({ width, height, pixels }: Raster): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The pixels that a pipeline of sharp ends with. */
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
