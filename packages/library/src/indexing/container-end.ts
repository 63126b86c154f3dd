import { type FileHandle, open } from "node:fs/promises";
import { extname } from "node:path";
import type { FoundVideo } from "./discover-videos.ts";

/** A file that states no end counts as complete when it has not been written to for this time. */
const quietMs = 10 * 60_000;

/**
 * Whether a video is still being written: its container has not ended, and its last write is less than ten minutes ago.
 * Throws what reading the file throws.
 */
export async function isBeingWritten(video: FoundVideo, nowMs: number): Promise<boolean> {
  return nowMs - video.modifiedAtMs < quietMs && !(await hasEnd(video.path));
}

/**
 * Whether the container says that the whole file is there; false for one that is cut off, and for one that states no end,
 * such as a transport stream. Reads a few kilobytes. Throws what opening and reading the file throws.
 */
export async function hasEnd(file: string): Promise<boolean> {
  const check = checks[extname(file).toLowerCase()];
  if (check === undefined) return false;
  await using handle = await open(file);
  const { size } = await handle.stat();
  return await check({
    size,
    read: (at, length) => readAt(handle, at, Math.max(0, Math.min(length, size - at))),
  });
}

type Container = { size: number; read: (at: number, length: number) => Promise<DataView> };

async function readAt(handle: FileHandle, at: number, length: number): Promise<DataView> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = length > 0 ? await handle.read(bytes, 0, length, at) : { bytesRead: 0 };
  return new DataView(bytes.buffer, 0, bytesRead);
}

/**
 * ISO/IEC 14496-12: boxes with their sizes, one of them `moov`, and after fragments `mfra`. A box of size 0 extends to an
 * end that is not stated.
 */
async function hasIsoEnd({ size, read }: Container): Promise<boolean> {
  const types = new Set<number>();
  for (let at = 0; at < size; ) {
    const header = await read(at, 16);
    if (header.byteLength < 8) return false;
    const stated = header.getUint32(0);
    types.add(header.getUint32(4));
    const isLarge = stated === 1;
    if (isLarge && header.byteLength < 16) return false;
    const length = isLarge ? Number(header.getBigUint64(8)) : stated;
    if (length < 8) return false;
    at += length;
    if (at > size) return false;
  }
  return types.has(boxes.moov) && (!types.has(boxes.moof) || types.has(boxes.mfra));
}

const boxes = { moov: 0x6d6f_6f76, moof: 0x6d6f_6f66, mfra: 0x6d66_7261 };

/** RFC 8794 and 9559: the header of EBML, then the segment with its size, which is unknown in a recording. */
async function hasMatroskaEnd({ size, read }: Container): Promise<boolean> {
  const start = await read(0, 4096);
  if (start.byteLength < 12 || start.getUint32(0) !== 0x1a45_dfa3) return false;
  const header = readSize(start, 4);
  const at = header?.next === undefined ? 0 : header.next + header.value;
  if (header === undefined || at + 12 > start.byteLength || start.getUint32(at) !== 0x1853_8067) return false;
  const segment = readSize(start, at + 4);
  return segment !== undefined && segment.next + segment.value <= size;
}

/** Reads a size of variable length; undefined for the reserved value "unknown". */
function readSize(view: DataView, at: number): { value: number; next: number } | undefined {
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8) return undefined;
  let value = first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    const byte = view.getUint8(at + index);
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return isUnknown ? undefined : { value, next: at + length };
}

/** RIFF, one after another with OpenDML. */
async function hasAviEnd({ size, read }: Container): Promise<boolean> {
  let at = 0;
  while (at < size) {
    const header = await read(at, 8);
    // Some writers leave zeros or a tag after the last one.
    if (header.byteLength < 8 || header.getUint32(0) !== 0x5249_4646) return at > 0;
    const length = header.getUint32(4, true);
    if (length === 0) return false;
    at += 8 + length;
  }
  // A last odd byte is padding, which is not always there.
  return at > 0 && at <= size + 1;
}

/** Advanced Systems Format, section 3.2: the size of the file in the object with the properties of the file. */
async function hasAsfEnd({ size, read }: Container): Promise<boolean> {
  const start = await read(0, 65_536);
  for (let at = 30; at + 48 <= start.byteLength; ) {
    const length = Number(start.getBigUint64(at + 16, true));
    if (start.getUint32(at) === 0xa1dc_ab8c) {
      const stated = Number(start.getBigUint64(at + 40, true));
      return stated > 0 && stated <= size;
    }
    if (length < 24) return false;
    at += length;
  }
  return false;
}

/** RFC 3533: the last page has the flag "end of stream", and is whole: 27 bytes, a table of lengths, what they add up to. */
async function hasOggEnd({ size, read }: Container): Promise<boolean> {
  const end = await read(Math.max(0, size - largestOggPage), largestOggPage);
  for (let at = end.byteLength - 27; at >= 0; at--) {
    if (end.getUint32(at) !== 0x4f67_6753) continue;
    const table = at + 27;
    const entries = end.getUint8(at + 26);
    if (table + entries > end.byteLength) return false;
    let next = table + entries;
    for (let entry = table; entry < table + entries; entry++) next += end.getUint8(entry);
    return (end.getUint8(at + 5) & 4) !== 0 && next <= end.byteLength;
  }
  return false;
}

const largestOggPage = 27 + 255 + 255 * 255;

/** The last bytes of the file: the trailer of a GIF, or the end code of an MPEG program stream (ISO/IEC 13818-1). */
function endsWith(...ending: readonly number[]): (container: Container) => Promise<boolean> {
  return async ({ size, read }) => {
    const end = await read(Math.max(0, size - ending.length), ending.length);
    return end.byteLength === ending.length && ending.every((byte, index) => end.getUint8(index) === byte);
  };
}

const programEnd = endsWith(0, 0, 1, 0xb9);
const checks: { [extension: string]: ((container: Container) => Promise<boolean>) | undefined } = {
  ".mp4": hasIsoEnd,
  ".m4v": hasIsoEnd,
  ".mov": hasIsoEnd,
  ".3gp": hasIsoEnd,
  ".mkv": hasMatroskaEnd,
  ".webm": hasMatroskaEnd,
  ".avi": hasAviEnd,
  ".wmv": hasAsfEnd,
  ".ogm": hasOggEnd,
  ".ogv": hasOggEnd,
  ".gif": endsWith(0x3b),
  ".mpg": programEnd,
  ".mpeg": programEnd,
  ".vob": programEnd,
};
