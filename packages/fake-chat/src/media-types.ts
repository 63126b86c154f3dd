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
  mkv: "video/x-matroska",
  txt: "text/plain",
};

/** The MIME type that an app derives from the name's extension. */
export function mimeTypeOf(name: string): string {
  return byEnding[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
}

/** The type of a file by its first bytes. */
export function formatOf(bytes: Uint8Array): "jpeg" | "png" | "gif" | "webp" | "mp4" | "webm" | "unknown" {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 12) return "unknown";
  if (view.readUInt16BE(0) === 0xffd8) return "jpeg";
  if (view.readUInt32BE(0) === 0x89504e47) return "png";
  if (view.toString("latin1", 0, 4) === "GIF8") return "gif";
  if (view.toString("latin1", 0, 4) === "RIFF" && view.toString("latin1", 8, 12) === "WEBP") return "webp";
  if (view.toString("latin1", 4, 8) === "ftyp") return "mp4";
  return view.readUInt32BE(0) === 0x1a45dfa3 ? "webm" : "unknown";
}
