const headerBytes = 4;

/** Reads pgvector's binary form of a halfvec: the number of dimensions, then half-precision numbers. */
export function readHalves(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getUint16(0));
  for (let at = 0; at < vector.length; at++) vector[at] = toNumber(view.getUint16(headerBytes + at * 2));
  return vector;
}

function toNumber(half: number): number {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return half & 0x8000 ? -size : size;
}
