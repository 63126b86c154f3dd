import type { Metadata } from "sharp";
import { sharp } from "./decoder.ts";
import { readJpegHeader } from "./jpeg-header.ts";

/**
 * Limits of one image. `bytes`: memory that a decoder holds for a whole image. `scans`: each scan of a JPEG
 * is a pass over the whole image; encoders write about ten.
 */
export const decoderLimits = { bytes: 128 * 1024 * 1024, scans: 32 } as const;

/** The values in the header of an image file. */
export type ImageHeader = {
  /** Size in pixels after orientation. */
  width: number;
  height: number;
  /** Upper estimate of the memory that the decoder holds at once; 0 when it decodes line by line. */
  decoderBytes: number;
  /** Scans of a JPEG; 1 for other formats. */
  scans: number;
  /** How long each frame of an animation is shown; one value for an image of one frame. */
  frameDelaysMs: number[];
};

/**
 * Reads the header of an image file without decoding pixels. Throws the decoder's error for an unknown
 * format, and an Error for an AVIF with an impossible size.
 */
export async function inspectImage(bytes: Uint8Array): Promise<ImageHeader> {
  checkAvifSizes(bytes);
  const header = await sharp(bytes, { limitInputPixels: false, failOn: "error" }).metadata();
  const jpeg = header.format === "jpeg" ? readJpegHeader(bytes) : undefined;
  const perPixel = jpeg ? coefficientBytesPerPixel(header, jpeg) : wholeBytesPerPixel(header);
  return {
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    decoderBytes: header.width * (header.pageHeight ?? header.height) * perPixel,
    scans: jpeg?.scans ?? 1,
    frameDelaysMs: header.delay ?? [0],
  };
}

/**
 * libvips reports a side of an AVIF beyond its limit as 1 pixel, and writes a message to standard error. The
 * property "ispe" has the sizes (ISO/IEC 23008-12, 6.5.3).
 */
function checkAvifSizes(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString("latin1", 4, 8) !== "ftyp") return;
  for (let at = file.indexOf("ispe"); at >= 0 && at + 16 <= file.length; at = file.indexOf("ispe", at + 4)) {
    const side = Math.max(file.readUInt32BE(at + 8), file.readUInt32BE(at + 12));
    if (side > longestAvifSide) throw new Error(`A side of the image has ${side} pixels.`);
  }
}

// The largest side of an AV1 frame.
const longestAvifSide = 65_536;

/** The coefficients of all components of a JPEG, 16 bits each, when there are several scans. */
function coefficientBytesPerPixel(
  { isProgressive, channels, width, height }: Metadata,
  { pixels, samplesPerPixel }: ReturnType<typeof readJpegHeader>,
): number {
  if (!isProgressive) return 0;
  // A frame header that the decoder reads in another way proves nothing about the components.
  return (pixels === width * height ? samplesPerPixel : channels) * 2;
}

/**
 * Returns the bytes per pixel that a decoder holds before its first output line. Measured with libvips 8.18,
 * rounded up.
 */
function wholeBytesPerPixel({ format, isProgressive, channels, depth, pages = 1 }: Metadata): number {
  const pixelBytes = channels * (sampleBytes[depth] ?? 16);
  switch (format) {
    case "png":
      return isProgressive ? pixelBytes : 0;
    case "gif":
      return 6;
    case "webp":
      // An animation has a canvas in addition to its frame.
      return pages > 1 ? 8 : 4;
    case "heif":
      return 20;
    default:
      // A TIFF may be one tile or one strip.
      return pixelBytes;
  }
}

const sampleBytes: Record<string, number | undefined> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
};
