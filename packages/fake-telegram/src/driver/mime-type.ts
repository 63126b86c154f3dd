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
