import { dot, type Neighbour, type Neighbours } from "./neighbours.ts";

/** Compares with every vector: for tests, and for libraries small enough not to care. */
export function createExactNeighbours(): Neighbours {
  const vectors = new Map<number, Float32Array>();

  return {
    add(label, vector) {
      vectors.set(label, vector);
    },
    remove(label) {
      vectors.delete(label);
    },
    vectorOf: (label) => vectors.get(label),
    search(vector, count) {
      const all: Neighbour[] = [];
      for (const [label, stored] of vectors) all.push({ label, cosine: dot(vector, stored) });
      return all.sort((a, b) => b.cosine - a.cosine || a.label - b.label).slice(0, count);
    },
    size: () => ({ stored: vectors.size, removed: 0 }),
    memoryBytes() {
      const [first] = vectors.values();
      return vectors.size * (first?.byteLength ?? 0);
    },
  };
}
