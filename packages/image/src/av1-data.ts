/** What the data of an AV1 image or of frames contains. */
export type Av1Data = {
  /** Coded frames, hidden ones included. */
  frames: number;
  /** The sequence headers. */
  sequenceHeaders: Uint8Array[];
};

/**
 * Lists the units of AV1 data without decoding them (AV1 bitstream specification, 5.3). Throws an Error for a
 * unit without a size, or beyond the data.
 */
export function inspectAv1(data: Uint8Array): Av1Data {
  const found: Av1Data = { frames: 0, sequenceHeaders: [] };
  for (let at = 0; at < data.length; ) {
    const head = data[at] ?? 0;
    const type = (head >> 3) & 15;
    const hasExtension = (head & 4) !== 0;
    const hasSize = (head & 2) !== 0;
    at += hasExtension ? 2 : 1;
    const size = hasSize ? readLeb128(data, at) : { value: data.length - at, bytes: 0 };
    const from = at + size.bytes;
    at = from + size.value;
    if (at > data.length) throw new Error("A unit of the AV1 data is longer than the data.");
    if (type === frameHeader || type === frame) found.frames++;
    if (type === sequenceHeader) found.sequenceHeaders.push(data.subarray(from, at));
  }
  return found;
}

const sequenceHeader = 1;
const frameHeader = 3;
const frame = 6;

function readLeb128(data: Uint8Array, from: number): { value: number; bytes: number } {
  let value = 0;
  for (let at = 0; at < 8; at++) {
    const byte = data[from + at] ?? 0;
    value += (byte & 127) * 128 ** at;
    if (byte < 128) return { value, bytes: at + 1 };
  }
  throw new Error("The size of a unit of the AV1 data has more than 8 bytes.");
}
