import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";

/** An episode of an index, without its frames. */
export type StoredEpisodeHead = { id: number; key: string; aspect: number; frameCount: number };

/**
 * Frames or regions in one buffer: a search reads thousands of them and needs the vectors of some. A record has
 * big-endian numbers: the episode's id, the number of the row, the number of its frame and its shot (int32 each);
 * its time, the time of the next stored frame of the shot (NaN for the last one and for regions), and the times
 * of the shot (float64 each); the vector in the order of the principal axes, as pgvector sends a halfvec.
 * The thumbnail is last where it was requested.
 */
export type PackedFrames = { episodes: readonly StoredEpisodeHead[]; count: number; bytes: Uint8Array };

const PAIR_BYTES = 16;
const VECTOR_AT = 48;
/** The number of dimensions, and two bytes that are 0. */
const VECTOR_HEADER_BYTES = 4;
const { bytes: THUMBNAIL_BYTES } = frameThumbnailSize;

/** A frame of a buffer. */
export type PackedFrame = {
  episodeId: number;
  number: number;
  /** The number of the frame: of a region, of the frame that contains it. */
  frame: number;
  shot: number;
  atSeconds: number;
  /** Undefined for the last frame of the shot and for regions. */
  nextAtSeconds: number | undefined;
  fromSeconds: number;
  toSeconds: number;
  readVector(): Float32Array;
  /** Only of frames that were requested with their thumbnails. */
  readThumbnail(): Uint8Array;
};

/** Reads the frames of a buffer. */
export function unpackFrames({ count, bytes }: PackedFrames): PackedFrame[] {
  const view = viewOf(bytes);
  const recordBytes = bytes.length / Math.max(1, count);
  return Array.from({ length: count }, (_, index): PackedFrame => {
    const at = index * recordBytes;
    const next = view.getFloat64(at + 24);
    return {
      episodeId: view.getInt32(at),
      number: view.getInt32(at + 4),
      frame: view.getInt32(at + 8),
      shot: view.getInt32(at + 12),
      atSeconds: view.getFloat64(at + 16),
      nextAtSeconds: Number.isNaN(next) ? undefined : next,
      fromSeconds: view.getFloat64(at + 32),
      toSeconds: view.getFloat64(at + 40),
      readVector: () => readHalves(view, at + VECTOR_AT),
      readThumbnail: () => bytes.subarray(at + recordBytes - THUMBNAIL_BYTES, at + recordBytes),
    };
  });
}

/**
 * Reads pairs of a frame and a searched vector, big-endian: the episode's id, the number of the row, the index of the
 * vector (int32 each), the cosine (float32).
 */
export function unpackPairs(pairs: Uint8Array) {
  const view = viewOf(pairs);
  return Array.from({ length: pairs.length / PAIR_BYTES }, (_, index) => {
    const at = index * PAIR_BYTES;
    return {
      episodeId: view.getInt32(at),
      number: view.getInt32(at + 4),
      vector: view.getInt32(at + 8),
      cosine: view.getFloat32(at + 12),
    };
  });
}

function readHalves(view: DataView, at: number): Float32Array {
  const vector = new Float32Array(view.getUint16(at));
  const first = at + VECTOR_HEADER_BYTES;
  for (let d = 0; d < vector.length; d++) vector[d] = view.getFloat16(first + d * 2);
  return vector;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
