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

type Size = { width: number; height: number };

/** The properties of a file from its bytes. */
export type Probed = {
  format: "jpeg" | "png" | "gif" | "webp" | "mp4" | "webm" | "unknown";
  isImage: boolean;
  size: Size | undefined;
  /** The seconds of an MP4. */
  duration: number | undefined;
};

/** Detects the type of a file; the size of images (of WebP, two of three forms), size and seconds of MP4. */
export function probe(bytes: Uint8Array): Probed {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(view);
  const isImage = ["jpeg", "png", "gif", "webp"].includes(format);
  const size = view.length < 30 ? undefined : sizes[format]?.(view);
  return { format, isImage, size, duration: format === "mp4" ? durationOf(view) : undefined };
}

function formatOf(view: Buffer): Probed["format"] {
  if (view.length < 12) return "unknown";
  if (view.readUInt16BE(0) === 0xffd8) return "jpeg";
  if (view.readUInt32BE(0) === 0x89504e47) return "png";
  if (view.toString("latin1", 0, 4) === "GIF8") return "gif";
  if (view.toString("latin1", 0, 4) === "RIFF" && view.toString("latin1", 8, 12) === "WEBP") return "webp";
  if (view.toString("latin1", 4, 8) === "ftyp") return "mp4";
  return view.readUInt32BE(0) === 0x1a45dfa3 ? "webm" : "unknown";
}

const sizes: Readonly<Record<string, (view: Buffer) => Size | undefined>> = {
  png: (view) => ({ width: view.readUInt32BE(16), height: view.readUInt32BE(20) }),
  gif: (view) => ({ width: view.readUInt16LE(6), height: view.readUInt16LE(8) }),
  jpeg(view) {
    let at = 2;
    while (at + 9 < view.length && view[at] === 0xff) {
      const marker = view[at + 1] ?? 0;
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      if (isFrame) return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5) };
      at += 2 + view.readUInt16BE(at + 2);
    }
    return undefined;
  },
  webp(view) {
    const kind = view.toString("latin1", 12, 16);
    if (kind === "VP8X") return { width: 1 + view.readUIntLE(24, 3), height: 1 + view.readUIntLE(27, 3) };
    return kind === "VP8 "
      ? { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff }
      : undefined;
  },
  /** The `tkhd` box of the first visible track has the size. */
  mp4(view) {
    for (let at = view.indexOf("tkhd", 0, "latin1"); at >= 0; at = view.indexOf("tkhd", at + 4, "latin1")) {
      const end = at + (view[at + 4] === 1 ? 100 : 88);
      if (end > view.length) break;
      const size = { width: view.readUInt16BE(end - 8), height: view.readUInt16BE(end - 4) };
      if (size.width > 0) return size;
    }
    return undefined;
  },
};

/** The `mvhd` box of an MP4 has the duration. */
function durationOf(view: Buffer): number | undefined {
  const header = view.indexOf("mvhd", 0, "latin1");
  const isLong = header >= 0 && view[header + 4] === 1;
  const at = header + (isLong ? 24 : 16);
  const scale = header >= 0 && at + 12 <= view.length ? view.readUInt32BE(at) : 0;
  if (scale === 0) return undefined;
  return Math.round((isLong ? Number(view.readBigUInt64BE(at + 4)) : view.readUInt32BE(at + 4)) / scale);
}
