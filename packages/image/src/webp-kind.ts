/** How the pixels of a WebP are stored; a transparent one is lossy, but for its transparency. */
export type WebpKind = "lossy" | "transparent" | "lossless" | "animated";

/** Returns the kind of a WebP by its first chunk of pixels (RFC 9649, section 2.7). */
export function readWebpKind(webp: Uint8Array): WebpKind {
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
