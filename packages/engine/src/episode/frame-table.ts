import { createByteReader, createByteWriter, isSealed, seal, unseal } from "../strips/byte-writer.ts";
import { CorruptDescriptorsError } from "./corrupt-descriptors-error.ts";
import type { EpisodeDescriptors, RegionDescriptors, Shot } from "./episode-descriptors.ts";

// "KFT2" and the crc32 of the following bytes; then integers in base 128: length of the model id and its
// bytes, dimensions, aspect ratio in millionths, frames, shots; per shot its start relative to the end of the
// last shot and its length; per frame its time and its shot relative to the last frame. Times are in
// microseconds.
const MAGIC = 0x4b465432;
const PER_SECOND = 1e6;

/** Times and shots of the stored frames of an episode, without their vectors. */
export type FrameTable = Pick<EpisodeDescriptors, "aspect" | "atSeconds" | "count" | "shotOf" | "shots">;

/** A frame table with the model of its vectors. */
export type StoredFrameTable = FrameTable & { modelId: string; dimensions: number };

/** Rounds a time to the resolution of the frame table, one microsecond. */
export function roundTime(seconds: number): number {
  return Math.round(seconds * PER_SECOND) / PER_SECOND;
}

/** Rounds an aspect ratio to the resolution of the frame table, one millionth. */
export function roundAspect(aspect: number): number {
  return Math.round(aspect * 1e6) / 1e6;
}

/** Encodes the times and shots of an episode in about 5 bytes per frame. Times must not be negative. */
export function encodeFrameTable(descriptors: RegionDescriptors): Uint8Array {
  const { count, vectors } = descriptors;
  return writeFrameTable({ ...descriptors, dimensions: count > 0 ? vectors.length / count : 0 });
}

/** Encodes a frame table without descriptors. */
export function writeFrameTable(table: StoredFrameTable): Uint8Array {
  const { count, modelId, dimensions, aspect, shots, atSeconds, shotOf } = table;
  const writer = createByteWriter();
  const id = Buffer.from(modelId, "utf8");
  writer.whole(id.length);
  writer.raw(id);
  writer.whole(dimensions);
  writer.whole(Math.round(aspect * 1e6));
  writer.whole(count);
  writer.whole(shots.length);
  let lastTime = 0;
  for (const { fromSeconds, toSeconds } of shots) {
    const from = Math.round(fromSeconds * PER_SECOND);
    const to = Math.round(toSeconds * PER_SECOND);
    writer.whole(from - lastTime);
    writer.whole(to - from);
    lastTime = to;
  }
  lastTime = 0;
  let lastShot = 0;
  for (let frame = 0; frame < count; frame++) {
    const time = Math.round((atSeconds[frame] ?? 0) * PER_SECOND);
    const shot = shotOf[frame] ?? 0;
    writer.whole(time - lastTime);
    writer.whole(shot - lastShot);
    [lastTime, lastShot] = [time, shot];
  }
  return seal(MAGIC, writer.finish());
}

/** True for bytes that start with the signature of a frame table. */
export function isFrameTable(bytes: Uint8Array): boolean {
  return isSealed(MAGIC, bytes);
}

/** Decodes a frame table. Throws CorruptDescriptorsError. */
export function decodeFrameTable(bytes: Uint8Array): StoredFrameTable {
  const body = unseal(MAGIC, bytes);
  if (body === undefined) throw new CorruptDescriptorsError("The frame table is corrupt.");
  try {
    return readBody(body);
  } catch (cause) {
    if (cause instanceof CorruptDescriptorsError) throw cause;
    throw new CorruptDescriptorsError("The frame table is corrupt.", { cause });
  }
}

function readBody(body: Uint8Array): StoredFrameTable {
  const reader = createByteReader(body);
  const modelId = Buffer.from(reader.raw(reader.whole())).toString("utf8");
  const dimensions = reader.whole();
  const aspect = reader.whole() / 1e6;
  const count = reader.whole();
  const shotCount = reader.whole();
  // A frame and a shot take at least two bytes each. The check precedes the allocation.
  if ((count + shotCount) * 2 > body.length) throw new RangeError("The frame table ends too early.");
  const shots: Shot[] = [];
  let time = 0;
  for (let shot = 0; shot < shotCount; shot++) {
    const from = time + reader.whole();
    time = from + reader.whole();
    shots.push({ fromSeconds: from / PER_SECOND, toSeconds: time / PER_SECOND });
  }
  const atSeconds = new Float64Array(count);
  const shotOf = new Uint32Array(count);
  time = 0;
  let shot = 0;
  for (let frame = 0; frame < count; frame++) {
    time += reader.whole();
    shot += reader.whole();
    if (shot >= shotCount) throw new CorruptDescriptorsError("A frame belongs to no shot.");
    atSeconds[frame] = time / PER_SECOND;
    shotOf[frame] = shot;
  }
  if (!reader.isAtEnd()) throw new CorruptDescriptorsError("The frame table is too long.");
  return { modelId, dimensions, aspect, count, shots, atSeconds, shotOf };
}
