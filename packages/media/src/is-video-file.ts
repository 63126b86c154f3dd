/**
 * True for the first bytes of an MP4 or a WebM. Other containers and the images of the MP4 family are no such
 * file.
 */
export function isVideoFile(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 128));
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (text(4, 8) === "ftyp") return head.length >= 12 && !imageBrand.test(text(8, 12));
  // EBML: the signature, and the document type (0x4282) with its length. Other Matroska files have the type
  // `matroska`.
  return text(0, 4) === "\x1aE\xdf\xa3" && head.includes(Buffer.from("\x42\x82\x84webm", "latin1"));
}

/** The major brands of AVIF, HEIF and camera raw files. */
const imageBrand = /^(?:avi[fs]|hei[cmsx]|hev[cmsx]|mi[af][12f]|msf1|j2k[is]|jpeg|crx )/;
