import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { type FrameLists, wrapFrameLists } from "./frame-lists.ts";
import { createSharedMemory, kernelId, openKernel, pagesOf } from "./kernel.ts";
import type { LabelState } from "./label-ranges.ts";
import { readAll, writeAll } from "./transfer-all.ts";

// The images of the memories, the contents as JSON, then their length, their crc32 and "KVI2", 4 bytes each.
const MAGIC = 0x4b564932;
const TRAILER_BYTES = 12;
const CHUNK_BYTES = 16 << 20;
const MOST_CONTENTS_BYTES = 1 << 28;

type Contents = {
  kernelId: string;
  /** Identifies the origin of the vectors. */
  origin: string;
  dimensions: number;
  images: Image[];
};

type Image = {
  byteLength: number;
  /** crc32 of each chunk of the image. */
  checksums: number[];
  labels: LabelState;
};

/**
 * Writes frame lists of the same dimensions atomically: under a temporary name, flushed, then renamed. `origin`
 * identifies the origin of the vectors. The caller must not change the lists during the call; searches may run.
 */
export async function writeSnapshot(
  file: string,
  segments: readonly FrameLists[],
  origin: string,
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await writeContents(handle, segments, origin);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(path.dirname(file));
}

/**
 * Reads the frame lists of `writeSnapshot`. Returns undefined when they are missing, corrupt, truncated, or
 * of another kernel or origin.
 */
export async function readSnapshot(
  file: string,
  dimensions: number,
  origin: string,
): Promise<FrameLists[] | undefined> {
  await using handle = await open(file, "r").catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const contents = await readContents(handle);
    const isUsable =
      contents?.kernelId === kernelId && contents.dimensions === dimensions && contents.origin === origin;
    return isUsable ? await readImages(handle, contents.images) : undefined;
  } catch {
    return undefined;
  }
}

async function writeContents(
  handle: FileHandle,
  segments: readonly FrameLists[],
  origin: string,
): Promise<void> {
  const images: Image[] = [];
  for (const lists of segments) images.push(await writeImage(handle, lists));
  const contents: Contents = { kernelId, origin, dimensions: segments[0]?.dimensions ?? 0, images };
  const json = Buffer.from(JSON.stringify(contents));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(json.length, 0);
  trailer.writeUInt32LE(crc32(json), 4);
  trailer.writeUInt32LE(MAGIC, 8);
  await writeAll(handle, json);
  await writeAll(handle, trailer);
}

async function writeImage(handle: FileHandle, lists: FrameLists): Promise<Image> {
  const { byteLength } = lists.memory.buffer;
  const checksums: number[] = [];
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, byteLength));
  for (let at = 0; at < byteLength; at += chunk.length) {
    // It copies the data: readers write into their parts of the memory between the checksum and the file.
    const part = chunk.subarray(0, Math.min(chunk.length, byteLength - at));
    part.set(new Uint8Array(lists.memory.buffer, at, part.length));
    checksums.push(crc32(part));
    await writeAll(handle, part);
  }
  return { byteLength, checksums, labels: lists.labels() };
}

async function readContents(handle: FileHandle): Promise<Contents | undefined> {
  const { size } = await handle.stat();
  if (size < TRAILER_BYTES) return undefined;
  const trailer = Buffer.alloc(TRAILER_BYTES);
  await readAll(handle, trailer, size - TRAILER_BYTES);
  const length = trailer.readUInt32LE(0);
  const end = size - TRAILER_BYTES;
  if (trailer.readUInt32LE(8) !== MAGIC || length > Math.min(end, MOST_CONTENTS_BYTES)) return undefined;
  const json = Buffer.alloc(length);
  await readAll(handle, json, end - length);
  if (crc32(json) !== trailer.readUInt32LE(4)) return undefined;
  const contents: Contents = JSON.parse(json.toString());
  const imageBytes = contents.images.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return imageBytes === end - length ? contents : undefined;
}

/** Returns undefined for a corrupt image. */
async function readImages(handle: FileHandle, images: readonly Image[]): Promise<FrameLists[] | undefined> {
  const segments: FrameLists[] = [];
  let from = 0;
  for (const { byteLength, checksums, labels } of images) {
    const memory = createSharedMemory(pagesOf(byteLength));
    for (let at = 0, chunk = 0; at < byteLength; at += CHUNK_BYTES, chunk++) {
      const part = new Uint8Array(memory.buffer, at, Math.min(CHUNK_BYTES, byteLength - at));
      await readAll(handle, part, from + at);
      if (crc32(part) !== checksums[chunk]) return undefined;
    }
    const kernel = openKernel(memory);
    kernel.releaseAll();
    segments.push(wrapFrameLists(memory, kernel, labels));
    from += byteLength;
  }
  return segments;
}

/** A renamed file survives a power failure after its folder was flushed; some systems cannot open folders. */
async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
}
