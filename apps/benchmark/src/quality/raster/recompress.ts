import { sharp } from "@koma/image";
import { decodeRaster, encodeJpeg, type Raster, startSharp } from "./raster.ts";

/** What a JPEG of that quality leaves of the picture. */
export async function throughJpeg(raster: Raster, quality: number): Promise<Raster> {
  return decodeRaster(await encodeJpeg(raster, quality));
}

/** What a GIF with that many colours leaves of the picture, dithered. */
export async function throughGif(raster: Raster, colours: number): Promise<Raster> {
  const gif = await startSharp(raster).gif({ colours, dither: 0.8, effort: 3 }).toBuffer();
  return decodeRaster(await sharp(gif).png({ compressionLevel: 1 }).toBuffer());
}
