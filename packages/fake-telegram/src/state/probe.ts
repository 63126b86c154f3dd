/** The properties of a file from its first bytes. */
export type Probed = {
  format: "jpeg" | "png" | "gif" | "webp" | "mp4" | "webm" | "unknown";
  isImage: boolean;
  width: number | undefined;
  height: number | undefined;
  duration: number | undefined;
};

/** Detects the type of a file from its bytes; width, height and seconds of MP4, size of PNG and GIF. */
export function probe(bytes: Uint8Array): Probed {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(view);
  const isImage = ["jpeg", "png", "gif", "webp"].includes(format);
  const size = format === "mp4" ? readMp4(view) : readSize(view, format);
  return { format, isImage, ...size };
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

function readSize(view: Buffer, format: Probed["format"]) {
  const none = { width: undefined, height: undefined, duration: undefined };
  if (view.length < 26) return none;
  if (format === "png") return { ...none, width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
  if (format === "gif") return { ...none, width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
  return none;
}

/** The `mvhd` box contains the duration, the `tkhd` box of the first visible track the size. */
function readMp4(view: Buffer) {
  const header = view.indexOf("mvhd", 0, "latin1");
  const isLong = header >= 0 && view[header + 4] === 1;
  const at = header + (isLong ? 24 : 16);
  const scale = header >= 0 && at + 12 <= view.length ? view.readUInt32BE(at) : 0;
  const units = scale === 0 ? 0 : isLong ? Number(view.readBigUInt64BE(at + 4)) : view.readUInt32BE(at + 4);
  const size = tracks(view).find(({ width }) => width > 0);
  return {
    width: size?.width,
    height: size?.height,
    duration: scale === 0 ? undefined : Math.round(units / scale),
  };
}

function tracks(view: Buffer): readonly { width: number; height: number }[] {
  const found: { width: number; height: number }[] = [];
  for (let at = view.indexOf("tkhd", 0, "latin1"); at >= 0; at = view.indexOf("tkhd", at + 4, "latin1")) {
    const end = at + (view[at + 4] === 1 ? 100 : 88);
    if (end <= view.length)
      found.push({ width: view.readUInt16BE(end - 8), height: view.readUInt16BE(end - 4) });
  }
  return found;
}
