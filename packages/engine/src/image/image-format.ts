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
  if (text(4, 8) === "ftyp" && isAvifBrand(text(8, 12), text(16, Math.min(bytes[3] ?? 0, 128))))
    return "avif";
  return isBmp(bytes) ? "bmp" : undefined;
}

/**
 * The brands of an ISO base media file. A file of the general brands of images names its codec in the others;
 * that of HEIC is not part of the decoder.
 */
function isAvifBrand(major: string, others: string): boolean {
  if (major === "avif" || major === "avis") return true;
  return /^(?:mif1|msf1|miaf)$/.test(major) && /avi[fs]/.test(others) && !/hei[cx]|hev[cx]/.test(others);
}

/** Says why a file without a known format cannot be searched, and what to do. */
export function describeUnsupported(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString("latin1");
  // Readers accept a PDF whose signature is within the first 1024 bytes.
  if (head.slice(0, 1024).includes("%PDF-"))
    return "The file is a PDF. Take a screenshot of the page, or export it as PNG.";
  if (/^(?:\xef\xbb\xbf)?\s*</.test(head) && /<(?:\w+:)?svg[\s>]/i.test(head))
    return "The file is an SVG drawing. Take a screenshot of it, or export it as PNG.";
  return "The image is no JPEG, PNG, WebP, GIF, AVIF or BMP. Take a screenshot of it, or export it as PNG.";
}
