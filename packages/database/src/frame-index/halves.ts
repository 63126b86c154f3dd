const headerBytes = 4;

/**
 * Writes vectors in the binary form of a halfvec[], which the server reads without parsing text. `typeId` is
 * the OID of halfvec. The numbers must be below 65,520, the limit of half precision.
 */
export function writeHalves(vectors: readonly Float32Array[], typeId: number): Buffer {
  // One dimension, no nulls, the type, the number of elements, and the index of the first one.
  const arrayHeader = [1, 0, typeId, vectors.length, 1];
  const elementBytes = vectors.reduce((sum, { length }) => sum + 4 + headerBytes + length * 2, 0);
  const buffer = Buffer.alloc(arrayHeader.length * 4 + elementBytes);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = 0;
  for (const value of arrayHeader) at = buffer.writeUInt32BE(value, at);
  for (const vector of vectors) {
    at = buffer.writeInt32BE(headerBytes + vector.length * 2, at);
    buffer.writeUInt16BE(vector.length, at);
    at += headerBytes;
    for (const value of vector) {
      view.setFloat16(at, value);
      at += 2;
    }
  }
  return buffer;
}
