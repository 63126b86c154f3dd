import {
  BmpError,
  decodeBmp,
  decoderLimits,
  inspectImage,
  openFrames,
  type Sharp,
  type SharpOptions,
  sharp,
} from "@koma/image";
import type { FfmpegTools } from "@koma/media";
import { ImageError } from "./errors.ts";
import { type FrameChoice, grabFrame } from "./grab-frame.ts";
import { apiLimits, decodedPixels, decoderLimitBytes, decodingSeconds, longestSide } from "./limits.ts";
import { sniff } from "./sniff.ts";

/**
 * An image that the API accepts: JPEG or PNG of at most 10 MiB and 50 megapixels. Such files are returned
 * unchanged, because the API handles orientation, borders and damage. All other files become a JPEG: WebP,
 * GIF, BMP, AVIF, TIFF, HEIC where libvips decodes it, a frame of a video, and images above the limits. The content decides the format.
 * Throws ImageError.
 */
export async function prepareImage(
  bytes: Uint8Array,
  options: { frame: FrameChoice; mediaTools: FfmpegTools | undefined; signal: AbortSignal },
): Promise<Uint8Array> {
  const kind = sniff(bytes);
  if (kind === "unknown") throw new ImageError("unsupported");
  try {
    if (kind === "jpeg" || kind === "png") {
      return (await fits(bytes)) ? bytes : await decodeInOrder(() => toJpeg(openPlain(bytes)));
    }
    if (kind === "video") {
      const frame = await grabFrame(bytes, options);
      return await decodeInOrder(() => toJpeg(open(frame)));
    }
    if (kind === "bmp") return await decodeInOrder(() => convertBmp(bytes));
    const { decoderBytes, frameDelaysMs } = await inspectImage(bytes);
    if (decoderBytes > decoderLimitBytes) throw new ImageError("too-large");
    const page = choosePage(frameDelaysMs, options.frame);
    return await decodeInOrder(() => convertPage(bytes, page));
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof ImageError) throw error;
    if (error instanceof BmpError) throw new ImageError(error.problem, { cause: error });
    if (isTooLarge(error)) throw new ImageError("too-large", { cause: error });
    throw new ImageError(kind === "heic" ? "heic" : "unreadable", { cause: error });
  }
}

/** A JPEG or PNG; of a damaged JPEG the part that can be decoded. */
function openPlain(bytes: Uint8Array): Sharp {
  const isJpeg = sniff(bytes) === "jpeg";
  return sharp(bytes, { limitInputPixels: decodedPixels, failOn: isJpeg ? "none" : "error" });
}

function open(bytes: Uint8Array): Sharp {
  return sharp(bytes, openOptions);
}

async function convertPage(bytes: Uint8Array, page: number): Promise<Uint8Array> {
  for await (const image of openFrames(bytes, [page], openOptions)) return await toJpeg(image);
  throw new ImageError("unreadable");
}

const openOptions: SharpOptions = { pages: 1, limitInputPixels: decodedPixels, failOn: "error" };

let lastDecoded: Promise<unknown> = Promise.resolve();

/** Decodes one image at a time in the whole process: six at once would need six times the memory. */
function decodeInOrder<T>(decode: () => Promise<T>): Promise<T> {
  const decoded = lastDecoded.then(decode);
  lastDecoded = decoded.catch(() => undefined);
  return decoded;
}

async function convertBmp(bytes: Uint8Array): Promise<Uint8Array> {
  const { data, width, height } = await decodeBmp(bytes, decoderLimitBytes);
  return await toJpeg(sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: decodedPixels }));
}

/**
 * True if the API accepts a JPEG or PNG. The API itself reports damaged ones. Throws ImageError if decoding
 * would exceed the limits here and there.
 */
async function fits(bytes: Uint8Array): Promise<boolean> {
  const header = await inspectImage(bytes).catch(() => undefined);
  if (header !== undefined && header.decoderBytes > decoderLimits.bytes) throw new ImageError("too-large");
  if (header !== undefined && header.scans > decoderLimits.scans) throw new ImageError("unreadable");
  if (bytes.length > apiLimits.bytes) return false;
  return header === undefined || header.width * header.height <= apiLimits.pixels;
}

async function toJpeg(image: Sharp): Promise<Uint8Array> {
  for (const [side, quality] of [
    [longestSide, 90],
    [2048, 85],
    [1024, 80],
  ] as const) {
    const frame = await image
      .clone()
      .timeout({ seconds: decodingSeconds })
      .autoOrient()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#000000" })
      .toColourspace("srgb")
      .jpeg({ quality, chromaSubsampling: "4:4:4" })
      .toBuffer();
    if (frame.length <= apiLimits.bytes) return frame;
  }
  throw new ImageError("too-large");
}

/** The page of an animation that is shown at a time. */
function choosePage(delaysMs: readonly number[], frame: FrameChoice): number {
  if (frame === undefined) return 0;
  let endMs = 0;
  for (const [page, delayMs] of delaysMs.entries()) {
    // Viewers show a frame without a duration for a tenth of a second.
    endMs += delayMs || 100;
    if (frame.atSeconds * 1000 < endMs) return page;
  }
  return delaysMs.length - 1;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /exceeds pixel limit|timeout/i.test(error.message);
}
