const byEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  bmp: "image/bmp",
  tiff: "image/tiff",
  mp4: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  txt: "text/plain; charset=utf-8",
};

/** The content type that Discord derives from the name's extension. */
export function contentTypeOf(name: string): string {
  return byEnding[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
}

/**
 * Width and height of an image from its first bytes (PNG, GIF, JPEG, one form of WebP); undefined for others.
 */
export function sizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 30) return undefined;
  if (view.readUInt32BE(0) === 0x89504e47)
    return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
  if (view.toString("latin1", 0, 4) === "GIF8")
    return { width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
  if (view.readUInt16BE(0) === 0xffd8) return sizeOfJpeg(view);
  if (view.toString("latin1", 8, 15) === "WEBPVP8") return sizeOfWebp(view);
  return undefined;
}

function sizeOfJpeg(view: Buffer) {
  let at = 2;
  while (at + 9 < view.length && view[at] === 0xff) {
    const marker = view[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5) };
    at += 2 + view.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOfWebp(view: Buffer) {
  const kind = view.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: 1 + view.readUIntLE(24, 3), height: 1 + view.readUIntLE(27, 3) };
  if (kind === "VP8 ")
    return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff };
  return undefined;
}
