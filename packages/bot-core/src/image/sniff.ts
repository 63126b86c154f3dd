/** The format of a file. */
export type FileKind =
  | "jpeg"
  | "png"
  | "gif"
  | "webp"
  | "bmp"
  | "avif"
  | "tiff"
  | "heic"
  | "video"
  | "unknown";

/** Detects the format from the first bytes. Names and stated types are ignored. */
export function sniff(bytes: Uint8Array): FileKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512));
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (/^GIF8[79]a/.test(text(0, 6))) return "gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(0, 4) === "RIFF" && text(8, 12) === "AVI ") return "video";
  if (text(0, 2) === "BM" && head.length > 26) return "bmp";
  if (["II*\0", "MM\0*"].includes(text(0, 4))) return "tiff";
  if (text(4, 8) === "ftyp") return sniffBrands(text(8, Math.min(head.readUInt32BE(0), 128)));
  if (videoStarts.includes(text(0, 4))) return "video";
  // QuickTime files from before brands were introduced.
  if (/^(?:moov|mdat|wide|free)$/.test(text(4, 8))) return "video";
  const isTransportStream = head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47;
  return isTransportStream ? "video" : "unknown";
}

/** Matroska, Flash, Ogg, MPEG and Windows Media. */
const videoStarts = ["\x1aE\xdf\xa3", "FLV\x01", "OggS", "\0\0\x01\xba", "0&\xb2u"];

/** The MP4 family: AVIF images, HEIC images, raw photos of Canon, which nothing here decodes, and videos. */
function sniffBrands(brands: string): FileKind {
  if (/avi[fs]/.test(brands)) return "avif";
  if (brands.startsWith("crx ")) return "unknown";
  return /^(?:hei[cxms]|hev[cxms]|mif1|msf1)/.test(brands) ? "heic" : "video";
}
