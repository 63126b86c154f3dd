import { crc32 } from "node:zlib";
import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";
import { CorruptDescriptorsError } from "./corrupt-descriptors-error.ts";
import type { EpisodeDescriptors, RegionDescriptors } from "./episode-descriptors.ts";
import { decodeFrameTable, encodeFrameTable, isFrameTable } from "./frame-table.ts";
import { decodeStripChunks, encodeStripChunks, isStripChunk } from "./strip-chunks.ts";

// A chunk: "KDC2", crc32 of the following bytes, first frame, frames, dimensions; then a float32 factor per
// frame, the int8 vectors, the thumbnails. Regions follow the frames: their frame table, then their chunks.
// Chunks of strips are last.
const MAGIC = 0x4b444332;
const HEADER_BYTES = 20;
const THUMBNAIL_BYTES = frameThumbnailSize.bytes;

/** An episode in the stored form that `encodeFrameTable` and `encodeDescriptorChunks` return. */
export type EncodedDescriptors = { frameTable: Uint8Array; chunks: readonly Uint8Array[] };

/**
 * Encodes the vectors of an episode in chunks of at most `limitBytes`, in order; returns no chunk for an
 * episode without frames. Throws RangeError when one frame exceeds the limit.
 */
export function encodeDescriptorChunks(descriptors: EpisodeDescriptors, limitBytes: number): Uint8Array[] {
  const { regions, strips } = descriptors;
  const chunks = encodeVectors(descriptors, limitBytes);
  if (regions !== undefined && regions.count > 0)
    chunks.push(encodeFrameTable(regions), ...encodeVectors(regions, limitBytes));
  if (strips !== undefined) chunks.push(...encodeStripChunks(strips, limitBytes));
  return chunks;
}

function encodeVectors(descriptors: RegionDescriptors, limitBytes: number): Uint8Array[] {
  const { count, vectors, scales, thumbnails } = descriptors;
  if (count === 0) return [];
  const dimensions = vectors.length / count;
  const framesPerChunk = Math.floor((limitBytes - HEADER_BYTES) / frameBytes(dimensions));
  if (framesPerChunk < 1)
    throw new RangeError(`A frame of ${dimensions} dimensions needs more than ${limitBytes} bytes.`);
  const chunks: Uint8Array[] = [];
  for (let first = 0; first < count; first += framesPerChunk) {
    const frames = Math.min(framesPerChunk, count - first);
    const bytes = new Uint8Array(HEADER_BYTES + frames * frameBytes(dimensions));
    const view = new DataView(bytes.buffer);
    view.setUint32(0, MAGIC);
    view.setUint32(8, first);
    view.setUint32(12, frames);
    view.setUint32(16, dimensions);
    for (let frame = 0; frame < frames; frame++) {
      view.setFloat32(HEADER_BYTES + frame * 4, scales[first + frame] ?? 0);
    }
    const block = vectors.subarray(first * dimensions, (first + frames) * dimensions);
    bytes.set(new Uint8Array(block.buffer, block.byteOffset, block.length), HEADER_BYTES + frames * 4);
    bytes.set(
      thumbnails.subarray(first * THUMBNAIL_BYTES, (first + frames) * THUMBNAIL_BYTES),
      HEADER_BYTES + frames * (dimensions + 4),
    );
    view.setUint32(4, crc32(bytes.subarray(8)));
    chunks.push(bytes);
  }
  return chunks;
}

/**
 * Decodes the result of `encodeFrameTable` and `encodeDescriptorChunks`. Throws CorruptDescriptorsError for
 * another model and for missing, repeated or changed bytes.
 */
export function decodeDescriptors(
  modelId: string,
  frameTable: Uint8Array,
  chunks: readonly Uint8Array[],
): EpisodeDescriptors {
  const firstStrips = chunks.findIndex(isStripChunk);
  const end = firstStrips < 0 ? chunks.length : firstStrips;
  const strips = firstStrips < 0 ? undefined : decodeStripChunks(chunks.slice(firstStrips));
  // Descriptors without regions end after the frames.
  const at = chunks.findIndex(isFrameTable);
  const regionTable = chunks[at];
  if (regionTable === undefined)
    return { ...decodeVectors(modelId, frameTable, chunks.slice(0, end)), strips };
  return {
    ...decodeVectors(modelId, frameTable, chunks.slice(0, at)),
    regions: decodeVectors(modelId, regionTable, chunks.slice(at + 1, end)),
    strips,
  };
}

/** The chunk of a thumbnail among the chunks of an episode, and the number of its first byte. */
export type ThumbnailLocation = { chunk: number; thumbnailAt: number };

/** Locates the thumbnails in the chunks of an episode, which `decodeDescriptors` accepts. */
export function locateThumbnails(
  chunks: readonly Uint8Array[],
): Record<"frames" | "regions", ThumbnailLocation[]> {
  const located: Record<"frames" | "regions", ThumbnailLocation[]> = { frames: [], regions: [] };
  let into = located.frames;
  for (const [chunk, bytes] of chunks.entries()) {
    if (isStripChunk(bytes)) break;
    if (isFrameTable(bytes)) {
      into = located.regions;
      continue;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [frames, dimensions] = [view.getUint32(12), view.getUint32(16)];
    const first = HEADER_BYTES + frames * (dimensions + 4);
    for (let frame = 0; frame < frames; frame++)
      into.push({ chunk, thumbnailAt: first + frame * THUMBNAIL_BYTES });
  }
  return located;
}

function decodeVectors(
  modelId: string,
  frameTable: Uint8Array,
  chunks: readonly Uint8Array[],
): RegionDescriptors {
  const { modelId: storedModelId, dimensions, ...table } = decodeFrameTable(frameTable);
  if (storedModelId !== modelId) {
    throw new CorruptDescriptorsError(`They belong to the model ${storedModelId}, not to ${modelId}.`);
  }
  const { count } = table;
  const chunkBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  // A wrong number must not become an allocation.
  if (count * frameBytes(dimensions) > chunkBytes)
    throw new CorruptDescriptorsError(`It has ${chunkBytes} bytes for ${count} frames.`);
  const vectors = new Int8Array(count * dimensions);
  const scales = new Float32Array(count);
  const thumbnails = new Uint8Array(count * THUMBNAIL_BYTES);
  let done = 0;
  for (const chunk of chunks) {
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const frames = chunk.length < HEADER_BYTES ? 0 : view.getUint32(12);
    const isSound =
      frames > 0 &&
      view.getUint32(0) === MAGIC &&
      view.getUint32(4) === crc32(chunk.subarray(8)) &&
      view.getUint32(8) === done &&
      view.getUint32(16) === dimensions &&
      done + frames <= count &&
      chunk.length === HEADER_BYTES + frames * frameBytes(dimensions);
    if (!isSound) throw new CorruptDescriptorsError(`The chunk for frame ${done} is corrupt.`);
    for (let frame = 0; frame < frames; frame++) {
      scales[done + frame] = view.getFloat32(HEADER_BYTES + frame * 4);
    }
    const start = chunk.byteOffset + HEADER_BYTES + frames * 4;
    vectors.set(new Int8Array(chunk.buffer, start, frames * dimensions), done * dimensions);
    thumbnails.set(chunk.subarray(HEADER_BYTES + frames * (dimensions + 4)), done * THUMBNAIL_BYTES);
    done += frames;
  }
  if (done !== count) throw new CorruptDescriptorsError(`It has ${done} of ${count} frames.`);
  return { modelId, ...table, vectors, scales, thumbnails };
}

function frameBytes(dimensions: number): number {
  return 4 + dimensions + THUMBNAIL_BYTES;
}
