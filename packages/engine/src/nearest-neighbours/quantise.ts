/** Writes a vector as int8 components and returns their factor (0 for the zero vector). */
export function quantise(vector: Float32Array, into: Int8Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) {
    into.fill(0);
    return 0;
  }
  const scale = Math.fround(largest / 127);
  for (let at = 0; at < vector.length; at++) into[at] = Math.round((vector[at] ?? 0) / scale);
  return scale;
}

/**
 * Reads a vector that `quantise` wrote and normalises it to unit length, so that a dot product is a cosine.
 */
export function dequantise(stored: Int8Array): Float32Array {
  const vector = Float32Array.from(stored);
  let squares = 0;
  for (const value of vector) squares += value * value;
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return vector.map((value) => value * factor);
}
