import { decodeBmp, decoderLimits, inspectImage, isBmp, type Sharp, sharp } from "@koma/image";
import { imageLimits } from "@koma/library";
import { TraceMoeError } from "./trace-moe-error.ts";

/** trace.moe accepts larger files than Koma's own API. */
export const fileLimitBytes = 25 * 1024 * 1024;

const longestSide = 2560;
const jpegQuality = 90;
let last: Promise<unknown> = Promise.resolve();

/**
 * Returns an image that the search accepts: one of more bytes is reduced to a JPEG, of an animation the first frame. One
 * is decoded at a time, because each takes much memory. Throws TraceMoeError 400 for an image whose header
 * exceeds the limits of the decoder, and for other files.
 */
export async function reduceImage(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length <= imageLimits.bytes) return bytes;
  const reduced = last.then(() => reduce(bytes));
  last = reduced.catch(() => undefined);
  return await reduced;
}

async function reduce(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const image = isBmp(bytes) ? await openBmp(bytes) : await openImage(bytes);
    const resized = image
      .autoOrient()
      .resize(longestSide, longestSide, { fit: "inside", withoutEnlargement: true });
    return await resized.jpeg({ quality: jpegQuality }).toBuffer();
  } catch (error) {
    const unusable = new TraceMoeError(400, "Failed to process image");
    unusable.cause = error;
    throw unusable;
  }
}

async function openBmp(bytes: Uint8Array): Promise<Sharp> {
  const { data, width, height } = await decodeBmp(bytes, decoderLimits.bytes);
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function openImage(bytes: Uint8Array): Promise<Sharp> {
  const { width, height, decoderBytes, scans } = await inspectImage(bytes);
  if (
    width * height > imageLimits.pixels ||
    decoderBytes > decoderLimits.bytes ||
    scans > decoderLimits.scans
  )
    throw new RangeError("The image exceeds the limits of the decoder.");
  return sharp(bytes, { limitInputPixels: imageLimits.pixels, failOn: "warning" });
}
