/** A seeded generator of numbers. */
export type Random = ReturnType<typeof createRandom>;

/**
 * Creates a generator that returns the same numbers for the same seed on every machine: mulberry32 (Tommy
 * Ettinger, 2017, public domain). The seed is a number, or a text that is hashed with FNV-1a.
 */
export function createRandom(seed: number | string) {
  let state = typeof seed === "number" ? seed >>> 0 : hashText(seed);

  /** Returns a number from 0 (included) to 1 (excluded). */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (low: number, high: number) => low + (high - low) * next();

  return {
    next,
    between,
    /** Returns an integer, both ends included. */
    whole: (low: number, high: number) => Math.floor(between(low, high + 1)),
    chance: (probability: number) => next() < probability,
    /** Returns `value` or `-value`. */
    sign: () => (next() < 0.5 ? -1 : 1),
    /** Returns a number of the standard normal distribution (Box and Muller, 1958). */
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick<Item>(items: readonly [Item, ...Item[]]): Item {
      return items[Math.floor(next() * items.length)] ?? items[0];
    },
    /** Returns a new array in a random order. */
    shuffle<Item>(items: readonly Item[]): Item[] {
      return items
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item);
    },
  };
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  // The finaliser separates the hashes of texts that differ only in their last letter.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) | 0;
}
