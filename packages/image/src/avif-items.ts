import { inspectAv1 } from "./av1-data.ts";
import { findBox, type IsoBox, listBoxes } from "./iso-boxes.ts";

/** Frames in the data of one image; an image in layers has one per layer. */
const mostFrames = 4;
/** The largest side of an AV1 frame. */
const longestSide = 65_536;

/**
 * Throws an Error for an AVIF image that would cost the decoder more than its header says. The decoder reports
 * a side beyond its limit as 1 pixel, with a message on standard error, and it decodes all frames in the data
 * of an image, of which one of 10 MiB can have thousands.
 */
export function checkAvif(file: Buffer): void {
  const meta = findBox(file, ["meta"]);
  // The property "ispe" has the sizes (ISO/IEC 23008-12, 6.5.3).
  for (let at = file.indexOf("ispe"); at >= 0 && at + 16 <= file.length; at = file.indexOf("ispe", at + 4)) {
    const side = Math.max(file.readUInt32BE(at + 8), file.readUInt32BE(at + 12));
    if (side > longestSide) throw new Error(`A side of the image has ${side} pixels.`);
  }
  if (meta === undefined) return;
  for (const data of listAv1Items(file, { ...meta, from: meta.from + 4 })) {
    const { frames } = inspectAv1(data);
    if (frames > mostFrames) throw new Error(`An image has ${frames} frames.`);
  }
}

/** Returns the data of the items that are AV1 images. */
function listAv1Items(file: Buffer, meta: IsoBox): Buffer[] {
  const [names, locations, idat] = ["iinf", "iloc", "idat"].map((type) => findBox(file, [type], meta));
  if (names === undefined || locations === undefined) return [];
  const isLong = file[names.from] !== 0;
  const entries = listBoxes(file, names.from + (isLong ? 8 : 6), names.to);
  const images = new Set(
    entries
      .filter(({ type, from, to }) => type === "infe" && to - from >= 12)
      .filter(
        ({ from }) =>
          file.toString("latin1", from + typeAt(file, from), from + typeAt(file, from) + 4) === "av01",
      )
      .map(({ from }) => (file[from] === 3 ? file.readUInt32BE(from + 4) : file.readUInt16BE(from + 4))),
  );
  const located = readLocations(file, locations).filter(({ id }) => images.has(id));
  const lengths = located.flatMap(({ extents }) => extents.map(({ length }) => length));
  // Tiles of a grid can share their data.
  if (lengths.reduce((sum, length) => sum + length, 0) > mostSharing * file.length)
    throw new Error("The images are longer than the file.");
  return located.map(({ isInIdat, extents }) => {
    const base = isInIdat ? (idat?.from ?? 0) : 0;
    return Buffer.concat(extents.map(({ at, length }) => file.subarray(base + at, base + at + length)));
  });
}

const mostSharing = 4;

/** The type of an entry follows its id and its protection. */
function typeAt(file: Buffer, entry: number): number {
  return file[entry] === 3 ? 10 : 8;
}

type Location = { id: number; isInIdat: boolean; extents: { at: number; length: number }[] };

/** Reads the box "iloc" (ISO/IEC 14496-12, 8.11.3). Throws RangeError at the end of the file. */
function readLocations(file: Buffer, { from }: IsoBox): Location[] {
  let at = from + 4;
  const read = (bytes: number) => {
    let value = 0;
    for (let i = 0; i < bytes; i++) value = value * 256 + file.readUInt8(at++);
    return value;
  };
  const version = file[from] ?? 0;
  const [sizes, moreSizes] = [read(1), read(1)];
  const count = read(version < 2 ? 2 : 4);
  const locations: Location[] = [];
  for (let item = 0; item < count; item++) {
    const id = read(version < 2 ? 2 : 4);
    const isInIdat = version > 0 && (read(2) & 15) === 1;
    at += 2;
    const base = read(moreSizes >> 4);
    const extents: Location["extents"] = [];
    for (let left = read(2); left > 0; left--) {
      if (version > 0) read(moreSizes & 15);
      const offset = read(sizes >> 4);
      extents.push({ at: base + offset, length: read(sizes & 15) });
    }
    locations.push({ id, isInIdat, extents });
  }
  return locations;
}
