import { crc32 } from "node:zlib";

/** The times of a shot's first and last frame. */
export type ShotTimes = { fromSeconds: number; toSeconds: number };

/** A JPEG of one frame of a shot. */
export type ShotStill = ShotTimes & { jpeg: Uint8Array };

/** The bytes are no stills, or damaged. */
export class CorruptStillsError extends Error {
  override readonly name = "CorruptStillsError";
}

// "KST1", the number of stills and the crc32 of the table. The table follows with four uint32 per still, in
// order of time: first and last millisecond of the shot, length and crc32 of the JPEG. The JPEGs follow.
const MAGIC = 0x4b535431;
const HEADER_BYTES = 12;
const ENTRY_BYTES = 16;
// The header and a table of 1,000 stills.
const FIRST_READ_BYTES = 16 * 1024;

/** Joins stills in order of time to the form that `findStill` reads. */
export function encodeStillSet(stills: readonly ShotStill[]): Uint8Array<ArrayBuffer> {
  const table = Buffer.alloc(stills.length * ENTRY_BYTES);
  for (const [index, { fromSeconds, toSeconds, jpeg }] of stills.entries()) {
    const entry = [toMs(fromSeconds), toMs(toSeconds), jpeg.length, crc32(jpeg)];
    for (const [field, value] of entry.entries()) table.writeUInt32BE(value, index * ENTRY_BYTES + field * 4);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(MAGIC, 0);
  header.writeUInt32BE(stills.length, 4);
  header.writeUInt32BE(crc32(table), 8);
  return Buffer.concat([header, table, ...stills.map(({ jpeg }) => jpeg)]);
}

/**
 * Returns the JPEG of the shot at a time; undefined when the shot has no still. `read` returns at most
 * `length` bytes from `offset`. Throws CorruptStillsError.
 */
export async function findStill(
  read: (offset: number, length: number) => Promise<Uint8Array>,
  atSeconds: number,
): Promise<Buffer | undefined> {
  const table = await readTable(read);
  const at = toMs(atSeconds);
  let offset = HEADER_BYTES + table.length;
  for (let entry = 0; entry < table.length; entry += ENTRY_BYTES) {
    const [from, to] = [table.readUInt32BE(entry), table.readUInt32BE(entry + 4)];
    const length = table.readUInt32BE(entry + 8);
    if (from <= at && at <= to) {
      const jpeg = Buffer.from(await read(offset, length));
      if (jpeg.length !== length || crc32(jpeg) !== table.readUInt32BE(entry + 12))
        throw new CorruptStillsError("A still is damaged.");
      return jpeg;
    }
    offset += length;
  }
  return undefined;
}

/** Returns all stills of a set. Throws CorruptStillsError, also for bytes after the last one. */
export async function decodeStillSet(bytes: Uint8Array): Promise<ShotStill[]> {
  const table = await readTable(async (offset, length) => bytes.subarray(offset, offset + length));
  const stills: ShotStill[] = [];
  let offset = HEADER_BYTES + table.length;
  for (let entry = 0; entry < table.length; entry += ENTRY_BYTES) {
    const [from, to] = [table.readUInt32BE(entry), table.readUInt32BE(entry + 4)];
    const end = offset + table.readUInt32BE(entry + 8);
    const jpeg = bytes.subarray(offset, end);
    if (end > bytes.length || crc32(jpeg) !== table.readUInt32BE(entry + 12))
      throw new CorruptStillsError("A still is damaged.");
    stills.push({ fromSeconds: from / 1000, toSeconds: to / 1000, jpeg });
    offset = end;
  }
  if (offset !== bytes.length) throw new CorruptStillsError("The stills are too long.");
  return stills;
}

/** Returns the times of the shots with a still that overlap a range. `read` and errors as in `findStill`. */
export async function listShots(
  read: (offset: number, length: number) => Promise<Uint8Array>,
  range: ShotTimes,
): Promise<ShotTimes[]> {
  const table = await readTable(read);
  const shots: ShotTimes[] = [];
  for (let entry = 0; entry < table.length; entry += ENTRY_BYTES) {
    const fromSeconds = table.readUInt32BE(entry) / 1000;
    const toSeconds = table.readUInt32BE(entry + 4) / 1000;
    if (toSeconds >= range.fromSeconds && fromSeconds <= range.toSeconds)
      shots.push({ fromSeconds, toSeconds });
  }
  return shots;
}

async function readTable(read: (offset: number, length: number) => Promise<Uint8Array>): Promise<Buffer> {
  const start = Buffer.from(await read(0, FIRST_READ_BYTES));
  if (start.length < HEADER_BYTES || start.readUInt32BE(0) !== MAGIC)
    throw new CorruptStillsError("The stills have no header.");
  const length = start.readUInt32BE(4) * ENTRY_BYTES;
  const inStart = start.subarray(HEADER_BYTES, HEADER_BYTES + length);
  // A damaged count is above all others: it must not become an allocation.
  const isLong = inStart.length < length && length <= LONGEST_TABLE_BYTES;
  const table = isLong ? Buffer.from(await read(HEADER_BYTES, length)) : inStart;
  if (table.length !== length || crc32(table) !== start.readUInt32BE(8))
    throw new CorruptStillsError("The table of the stills is damaged.");
  return table;
}

const LONGEST_TABLE_BYTES = 16 * 1024 * 1024;

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
