/** A stored frame and how similar it is: the cosine of the two vectors. */
export type Neighbour = { label: number; cosine: number };

/**
 * Nearest neighbours among vectors of unit length, each under a label that is used once. Two implementations: `createHnswNeighbours`
 * (approximate, fast) and `createExactNeighbours` (the truth).
 */
export type Neighbours = {
  add(label: number, vector: Float32Array): void;
  remove(label: number): void;
  /** The vector of a label; undefined when it was removed. */
  vectorOf(label: number): ArrayLike<number> | undefined;
  /** The `count` most similar ones, best first. */
  search(vector: Float32Array, count: number): Neighbour[];
  /** Vectors in memory, removed ones included where they still take room. */
  size(): { stored: number; removed: number };
  memoryBytes(): number;
  /** Ends the use of files, where there are any. */
  close?(): void;
};

/** Dot product; of two unit vectors, their cosine. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.min(a.length, b.length);
  let sum = 0;
  for (let at = 0; at < length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
