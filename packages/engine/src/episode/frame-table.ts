import { crc32 } from "node:zlib";
import { createByteReader, createByteWriter } from "./byte-writer.ts";
import { CorruptDescriptorsError } from "./corrupt-descriptors-error.ts";
import type { EpisodeDescriptors, RegionDescriptors, Shot } from "./episode-descriptors.ts";

// "KFT2", crc32 of all that follows; then whole numbers in base 128: length of the model id and its bytes, dimensions, aspect in millionths,
// frames, shots; per shot its start after the last shot's end and its length, per frame the time and the shot after the last frame's. Times in microseconds.
const MAGIC = 0x4b465432;
const HEADER_BYTES = 8;
const PER_SECOND = 1e6;

/** When and in which shot the kept frames of an episode are, without their vectors. */
export type FrameTable = Pick<EpisodeDescriptors, "aspect" | "atSeconds" | "count" | "shotOf" | "shots">;

/** A frame table that says whose vectors belong to it. */
export type StoredFrameTable = FrameTable & { modelId: string; dimensions: number };

/** The nearest time that a frame table can hold (whole microseconds). */
export function roundTime(seconds: number): number {
  return Math.round(seconds * PER_SECOND) / PER_SECOND;
}

/** The nearest aspect that a frame table can hold. */
export function roundAspect(aspect: number): number {
  return Math.round(aspect * 1e6) / 1e6;
}

/** The times and shots of an episode as bytes, about 5 per frame. Times must not be negative. */
export function encodeFrameTable(descriptors: RegionDescriptors): Uint8Array {
  const { count, vectors } = descriptors;
  return writeFrameTable({ ...descriptors, dimensions: count > 0 ? vectors.length / count : 0 });
}

/** The same for a table without vectors at hand. */
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
  const body = writer.finish();
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  bytes.set(body, HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, crc32(body));
  return bytes;
}

/** True for bytes that start like a frame table. */
export function isFrameTable(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === MAGIC;
}

/** What `encodeFrameTable` wrote. Throws CorruptDescriptorsError. */
export function decodeFrameTable(bytes: Uint8Array): StoredFrameTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = bytes.subarray(HEADER_BYTES);
  if (bytes.length < HEADER_BYTES || view.getUint32(0) !== MAGIC || view.getUint32(4) !== crc32(body)) {
    throw new CorruptDescriptorsError("The frame table is damaged.");
  }
  try {
    return readBody(body);
  } catch (cause) {
    if (cause instanceof CorruptDescriptorsError) throw cause;
    throw new CorruptDescriptorsError("The frame table is damaged.", { cause });
  }
}

function readBody(body: Uint8Array): StoredFrameTable {
  const reader = createByteReader(body);
  const modelId = Buffer.from(reader.raw(reader.whole())).toString("utf8");
  const dimensions = reader.whole();
  const aspect = reader.whole() / 1e6;
  const count = reader.whole();
  const shotCount = reader.whole();
  // Two bytes a frame and a shot at least: checked before any memory is taken for them.
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
