import { isBmp } from "@koma/image";

/** The formats of image files that are decoded. */
export type ImageFormat = "jpeg" | "png" | "webp" | "gif" | "avif" | "bmp";

/** Returns the format by the first bytes of a file; undefined for other formats. */
export function detectFormat(bytes: Uint8Array): ImageFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpeg";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "gif";
  // The major brand of an ISO base media file; HEIC has others, and its codec is not part of the decoder.
  if (text(4, 12) === "ftypavif" || text(4, 12) === "ftypavis") return "avif";
  return isBmp(bytes) ? "bmp" : undefined;
}
