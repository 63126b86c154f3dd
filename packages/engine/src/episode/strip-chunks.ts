import {
  createByteReader,
  createByteWriter,
  isSealed,
  SEAL_BYTES,
  seal,
  unseal,
} from "../strips/byte-writer.ts";
import type { EpisodeStrips } from "../strips/strip-builder.ts";
import { CorruptDescriptorsError } from "./corrupt-descriptors-error.ts";

// A chunk: "KST1" and the crc32 of the following bytes; then strips, each with its shot and its length as
// integers in base 128.
const MAGIC = 0x4b535431;
/** Two integers of at most five bytes. */
const MOST_HEAD_BYTES = 10;

/** True for bytes that `encodeStripChunks` returned. */
export function isStripChunk(bytes: Uint8Array): boolean {
  return isSealed(MAGIC, bytes);
}

/**
 * Encodes strips in chunks of at most `limitBytes`, in order. Throws RangeError when one strip exceeds the
 * limit.
 */
export function encodeStripChunks({ shotOf, bytes }: EpisodeStrips, limitBytes: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let writer = createByteWriter();
  let length = 0;
  const close = () => {
    if (length > 0) chunks.push(seal(MAGIC, writer.finish()));
    writer = createByteWriter();
    length = 0;
  };
  for (const [at, strip] of bytes.entries()) {
    const most = strip.length + MOST_HEAD_BYTES;
    if (SEAL_BYTES + most > limitBytes) throw new RangeError(`A strip needs more than ${limitBytes} bytes.`);
    if (SEAL_BYTES + length + most > limitBytes) close();
    writer.whole(shotOf[at] ?? 0);
    writer.whole(strip.length);
    writer.raw(strip);
    length += most;
  }
  close();
  return chunks;
}

/**
 * Decodes the result of `encodeStripChunks`; the strips are parts of the chunks. Throws
 * CorruptDescriptorsError.
 */
export function decodeStripChunks(chunks: readonly Uint8Array[]): EpisodeStrips {
  const strips: EpisodeStrips = { shotOf: [], bytes: [] };
  for (const chunk of chunks) {
    const body = unseal(MAGIC, chunk);
    if (body === undefined) throw new CorruptDescriptorsError("A chunk of strips is corrupt.");
    try {
      for (const reader = createByteReader(body); !reader.isAtEnd(); ) {
        strips.shotOf.push(reader.whole());
        strips.bytes.push(reader.raw(reader.whole()));
      }
    } catch (cause) {
      throw new CorruptDescriptorsError("A chunk of strips ends too early.", { cause });
    }
  }
  return strips;
}

/** A strip among the chunks of an episode: its chunk, the number of its first byte, and its length. */
export type StripLocation = { shot: number; chunk: number; at: number; length: number };

/** Locates the strips in the chunks of an episode, which `decodeDescriptors` accepts, in order of time. */
export function locateStrips(chunks: readonly Uint8Array[]): StripLocation[] {
  const located: StripLocation[] = [];
  for (const [chunk, bytes] of chunks.entries()) {
    if (!isStripChunk(bytes)) continue;
    for (const reader = createByteReader(bytes.subarray(SEAL_BYTES)); !reader.isAtEnd(); ) {
      const shot = reader.whole();
      const strip = reader.raw(reader.whole());
      located.push({ shot, chunk, at: strip.byteOffset - bytes.byteOffset, length: strip.length });
    }
  }
  return located;
}
