import { sharp } from "@koma/image";
import { decodeRaster, encodeJpeg, type Raster, startSharp } from "./raster.ts";

/** Returns the image after JPEG compression of that quality. */
export async function throughJpeg(raster: Raster, quality: number): Promise<Raster> {
  return decodeRaster(await encodeJpeg(raster, quality));
}

/** Returns the image after conversion to a GIF with that many colours, dithered. */
export async function throughGif(raster: Raster, colours: number): Promise<Raster> {
  const gif = await startSharp(raster).gif({ colours, dither: 0.8, effort: 3 }).toBuffer();
  return decodeRaster(await sharp(gif).png({ compressionLevel: 1 }).toBuffer());
}
