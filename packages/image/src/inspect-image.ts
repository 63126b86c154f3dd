import type { Metadata } from "sharp";
import { checkAvif } from "./avif-items.ts";
import { sharp } from "./decoder.ts";
import { readJpegHeader } from "./jpeg-header.ts";
import { readAnimation, withImageBrand } from "./open-frames.ts";

/**
 * Limits of one image. `bytes`: memory that a decoder holds for a whole image. `avifBytes`: the same for an
 * AVIF that is decoded while no other such image is: 5120 x 2880 pixels of 8 bits. `scans`: each scan of a JPEG
 * is a pass over the whole image; encoders write about ten.
 */
export const decoderLimits = { bytes: 128 * 1024 * 1024, avifBytes: 288 * 1024 * 1024, scans: 32 } as const;

/** The values in the header of an image file. */
export type ImageHeader = {
  /** Size in pixels after orientation. */
  width: number;
  height: number;
  /**
   * Upper estimate of the memory that the decoder holds at once; 0 when it decodes line by line, or reduces the
   * image meanwhile.
   */
  decoderBytes: number;
  /** Scans of a JPEG; 1 for other formats. */
  scans: number;
  /** How long each frame of an animation is shown; one value for an image of one frame. */
  frameDelaysMs: number[];
};

/**
 * Reads the header of an image file without decoding pixels. Throws the decoder's error for an unknown
 * format, and an Error for an AVIF with an impossible size, with more data than its header says, or with
 * corrupt frames.
 */
export async function inspectImage(bytes: Uint8Array): Promise<ImageHeader> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString("latin1", 4, 8) === "ftyp") checkAvif(file);
  const animation = readAnimation(bytes);
  const image = animation?.kind === "avif" ? animation.sequence.createStill(0) : withImageBrand(bytes);
  const header = await sharp(image, { limitInputPixels: false, failOn: "error" }).metadata();
  const perPixel = estimateBytesPerPixel(header, bytes, animation?.kind);
  return {
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    decoderBytes: header.width * (header.pageHeight ?? header.height) * perPixel,
    scans: header.format === "jpeg" ? readJpegHeader(bytes).scans : 1,
    frameDelaysMs: listDelays(animation) ?? header.delay ?? [0],
  };
}

function listDelays(animation: ReturnType<typeof readAnimation>): number[] | undefined {
  if (animation?.kind === "avif") return animation.sequence.delaysMs;
  return animation?.apng.frames.map(({ delayMs }) => delayMs);
}

/**
 * Returns the bytes per pixel that a decoder holds before its first output line. Measured with libvips 8.18,
 * rounded up.
 */
function estimateBytesPerPixel(
  header: Metadata,
  bytes: Uint8Array,
  animation: "png" | "avif" | undefined,
): number {
  const { format, isProgressive, channels, depth, bitsPerSample = 8, pages = 1 } = header;
  const pixelBytes = channels * (sampleBytes[depth] ?? 16);
  switch (format) {
    case "jpeg":
      return isProgressive ? coefficientBytesPerPixel(header, readJpegHeader(bytes)) : 0;
    case "png":
      // The canvas of an animation, its frame and a copy of the canvas have 4 bytes each.
      return (isProgressive ? pixelBytes : 0) + (animation === "png" ? 12 : 0);
    case "gif":
      return 6;
    case "webp":
      // An animation has a canvas in addition to its frame.
      return pages > 1 ? 8 : webpBytesPerPixel[readWebpKind(bytes)];
    case "heif":
      // Frames refer to up to eight others.
      if (animation === "avif") return bitsPerSample > 8 ? 96 : 48;
      return bitsPerSample > 8 ? 27 : 20;
    default:
      // A TIFF may be one tile or one strip.
      return pixelBytes;
  }
}

/** The decoder reduces a lossy image while it decodes, but not its transparency. */
const webpBytesPerPixel = { lossy: 0, transparent: 5, lossless: 4, animated: 8 } as const;

/** The coefficients of all components of a JPEG, 16 bits each, when there are several scans. */
function coefficientBytesPerPixel(
  { channels, width, height }: Metadata,
  { pixels, samplesPerPixel }: ReturnType<typeof readJpegHeader>,
): number {
  // A frame header that the decoder reads in another way proves nothing about the components.
  return (pixels === width * height ? samplesPerPixel : channels) * 2;
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

/** How the pixels of a WebP are stored; a transparent one is lossy, but for its transparency. */
type WebpKind = "lossy" | "transparent" | "lossless" | "animated";

/** Returns the kind of a WebP by its first chunk of pixels (RFC 9649, section 2.7). */
function readWebpKind(webp: Uint8Array): WebpKind {
  const file = Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength);
  let isTransparent = false;
  for (let at = 12; at + 8 <= file.length; ) {
    const type = file.toString("latin1", at, at + 4);
    if (type === "VP8L") return "lossless";
    if (type === "VP8 ") return isTransparent ? "transparent" : "lossy";
    if (type === "ALPH") isTransparent = true;
    // Chunks have an even length.
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return "animated";
}
