import { inspectAv1 } from "./av1-data.ts";
import { findBox, type IsoBox, listBoxes, writeBox } from "./iso-boxes.ts";

/** The frames of an animated AVIF. */
export type AvifSequence = {
  width: number;
  height: number;
  /** How long each frame is shown. */
  delaysMs: number[];
  /** Returns an AVIF whose image is this frame. Its data are all frames since the last independent one. */
  createStill(frame: number): Buffer;
};

/**
 * Reads the track of an animated AVIF (AVIF 1.1, section 3); undefined for a file without one of two frames or
 * more. Throws an Error for a corrupt track, and for one that would cost the decoder more than its table of
 * frames says.
 */
export function readAvifSequence(file: Buffer): AvifSequence | undefined {
  const moov = findBox(file, ["moov"]);
  if (moov === undefined) return undefined;
  const tracks = listBoxes(file, moov.from, moov.to).filter(({ type }) => type === "trak");
  for (const track of tracks) {
    const sequence = readTrack(file, track);
    if (sequence !== undefined) return sequence;
  }
  return undefined;
}

function readTrack(file: Buffer, track: IsoBox): AvifSequence | undefined {
  const media = findBox(file, ["mdia"], track);
  const handler = media && findBox(file, ["hdlr"], media);
  const table = media && findBox(file, ["minf", "stbl"], media);
  if (!media || !handler || !table) return undefined;
  // The transparency of a sequence is a track of its own, with another handler.
  if (!["pict", "vide"].includes(file.toString("latin1", handler.from + 8, handler.from + 12)))
    return undefined;
  const description = findBox(file, ["stsd"], table);
  const entry = description && listBoxes(file, description.from + 8, description.to)[0];
  if (entry?.type !== "av01") return undefined;
  const properties = listBoxes(file, entry.from + 78, entry.to);
  const configuration = properties.find(({ type }) => type === "av1C");
  if (configuration === undefined) return undefined;
  const samples = readSamples(file, table);
  if (samples.length < 2) return undefined;
  checkSamples(samples);
  const size = { width: file.readUInt16BE(entry.from + 24), height: file.readUInt16BE(entry.from + 26) };
  const independent = readIndependent(file, table);
  return {
    ...size,
    delaysMs: readDelays(file, { media, table, count: samples.length }),
    createStill(frame) {
      let from = frame;
      while (from > 0 && !independent.has(from)) from--;
      const data = Buffer.concat(samples.slice(from, frame + 1));
      return writeStill(data, size, file.subarray(configuration.from, configuration.to));
    },
  };
}

const mostSamples = 100_000;

/** Returns the data of the frames (stsz, stsc, stco or co64). */
function readSamples(file: Buffer, table: IsoBox): Buffer[] {
  const [sizes, groups] = [requireBox(file, "stsz", table), requireBox(file, "stsc", table)];
  const short = findBox(file, ["stco"], table);
  const chunks = short ?? requireBox(file, "co64", table);
  const readOffset = (chunk: number) =>
    short
      ? file.readUInt32BE(chunks.from + 8 + chunk * 4)
      : Number(file.readBigUInt64BE(chunks.from + 8 + chunk * 8));
  const [equalSize, count] = [file.readUInt32BE(sizes.from + 4), file.readUInt32BE(sizes.from + 8)];
  const chunkCount = file.readUInt32BE(chunks.from + 4);
  const groupCount = file.readUInt32BE(groups.from + 4);
  if (count > mostSamples) throw new Error(`The animation has ${count} frames.`);
  const samples: Buffer[] = [];
  let bytes = 0;
  for (let chunk = 0, group = 0, left = 0, at = 0; samples.length < count; left--) {
    if (left === 0) {
      if (chunk === chunkCount) throw new Error("The frames are in more chunks than the file has.");
      const startsAt = (one: number) => file.readUInt32BE(groups.from + 8 + one * 12) - 1;
      while (group + 1 < groupCount && startsAt(group + 1) <= chunk) group++;
      left = file.readUInt32BE(groups.from + 12 + group * 12);
      at = readOffset(chunk++);
      if (left === 0) throw new Error("A chunk of the file has no frames.");
    }
    const size = equalSize || file.readUInt32BE(sizes.from + 12 + samples.length * 4);
    if (size === 0 || at + size > file.length) throw new Error("A frame is outside of the file.");
    bytes += size;
    if (bytes > file.length) throw new Error("The frames are longer than the file.");
    samples.push(file.subarray(at, at + size));
    at += size;
  }
  return samples;
}

/** Hidden frames are shown later, so there are about as many coded frames as shown ones. */
function checkSamples(samples: readonly Buffer[]): void {
  const inspected = samples.map(inspectAv1);
  const frames = inspected.reduce((sum, data) => sum + data.frames, 0);
  if (frames > 2 * samples.length + 8) throw new Error(`${samples.length} samples have ${frames} frames.`);
  // The decoder checks the size in the first header only.
  const [first, ...others] = inspected.flatMap(({ sequenceHeaders }) => sequenceHeaders);
  if (first === undefined || others.some((other) => Buffer.compare(other, first) !== 0))
    throw new Error("The frames have no header or several ones.");
}

/** The numbers of the frames that need no other (stss); without the box all frames. */
function readIndependent(file: Buffer, table: IsoBox): { has(frame: number): boolean } {
  const box = findBox(file, ["stss"], table);
  if (box === undefined) return { has: () => true };
  const count = Math.min(file.readUInt32BE(box.from + 4), (box.to - box.from - 8) / 4);
  return new Set(Array.from({ length: count }, (_, at) => file.readUInt32BE(box.from + 8 + at * 4) - 1));
}

/** Reads how long each frame is shown (stts), in units of the media (mdhd). */
function readDelays(file: Buffer, o: { media: IsoBox; table: IsoBox; count: number }): number[] {
  const [header, times] = [requireBox(file, "mdhd", o.media), requireBox(file, "stts", o.table)];
  const unitsPerSecond = file.readUInt32BE(header.from + (file[header.from] === 1 ? 20 : 12));
  const delays: number[] = [];
  const entries = file.readUInt32BE(times.from + 4);
  for (let entry = 0; entry < entries && delays.length < o.count; entry++) {
    const at = times.from + 8 + entry * 8;
    const [equal, units] = [file.readUInt32BE(at), file.readUInt32BE(at + 4)];
    const delayMs = unitsPerSecond === 0 ? 0 : (units * 1000) / unitsPerSecond;
    for (let left = Math.min(equal, o.count - delays.length); left > 0; left--) delays.push(delayMs);
  }
  while (delays.length < o.count) delays.push(0);
  return delays;
}

function requireBox(file: Buffer, type: string, parent: IsoBox): IsoBox {
  const box = findBox(file, [type], parent);
  if (box === undefined) throw new Error(`The track has no box "${type}".`);
  return box;
}

/** Writes the data of AV1 as an AVIF of one image (ISO/IEC 23008-12). */
function writeStill(
  data: Buffer,
  { width, height }: { width: number; height: number },
  configuration: Buffer,
): Buffer {
  const type = writeBox("ftyp", Buffer.from("avif\0\0\0\0avifmif1miaf", "latin1"));
  const writeMeta = (dataAt: number) =>
    writeBox(
      "meta",
      words(0),
      writeBox("hdlr", words(0, 0), Buffer.from("pict"), Buffer.alloc(13)),
      writeBox("pitm", words(0), halves(1)),
      // One item with one extent; offset and length have 4 bytes.
      writeBox("iloc", words(0), halves(0x4400, 1, 1, 0, 1), words(dataAt, data.length)),
      writeBox(
        "iinf",
        words(0),
        halves(1),
        writeBox("infe", words(0x0200_0000), halves(1, 0), Buffer.from("av01\0")),
      ),
      writeBox(
        "iprp",
        writeBox("ipco", writeBox("ispe", words(0, width, height)), writeBox("av1C", configuration)),
        // The item has both properties, the second one is essential.
        writeBox("ipma", words(0, 1), halves(1), Buffer.from([2, 0x01, 0x82])),
      ),
    );
  const dataAt = type.length + writeMeta(0).length + 8;
  return Buffer.concat([type, writeMeta(dataAt), writeBox("mdat", data)]);
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

function halves(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}
