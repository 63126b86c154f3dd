const headerBytes = 4;

/** Reads pgvector's binary form of a halfvec: the number of dimensions, then half-precision numbers. */
export function readHalves(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getUint16(0));
  for (let at = 0; at < vector.length; at++) vector[at] = toNumber(view.getUint16(headerBytes + at * 2));
  return vector;
}

/**
 * Writes vectors in the binary form of a halfvec[], which the server reads without parsing text. `typeId` is
 * the OID of halfvec. The numbers must be below 65,520, the limit of half precision.
 */
export function writeHalves(vectors: readonly Float32Array[], typeId: number): Buffer {
  // One dimension, no nulls, the type, the number of elements, and the index of the first one.
  const arrayHeader = [1, 0, typeId, vectors.length, 1];
  const elementBytes = vectors.reduce((sum, { length }) => sum + 4 + headerBytes + length * 2, 0);
  const buffer = Buffer.alloc(arrayHeader.length * 4 + elementBytes);
  let at = 0;
  for (const value of arrayHeader) at = buffer.writeUInt32BE(value, at);
  for (const vector of vectors) {
    at = buffer.writeInt32BE(headerBytes + vector.length * 2, at);
    buffer.writeUInt16BE(vector.length, at);
    at += headerBytes;
    for (const bits of new Uint32Array(Float32Array.from(vector).buffer)) {
      at = buffer.writeUInt16BE(toHalf(bits), at);
    }
  }
  return buffer;
}

/** Rounds the bits of a single-precision number to those of the nearest half-precision one. */
function toHalf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  if (size < smallestNormal) {
    floatBits[0] = size;
    return sign | Math.round((float[0] ?? 0) * 2 ** 24);
  }
  // The exponents of the two formats differ by 112; 13 bits of the fraction are rounded, ties to even.
  return sign | (((size + 0xfff + ((size >>> 13) & 1)) >>> 13) - (112 << 10));
}

const smallestNormal = 0x38800000; // 2 ** -14
const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

function toNumber(half: number): number {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return half & 0x8000 ? -size : size;
}
