/** A seeded generator of numbers. */
export type Random = ReturnType<typeof createRandom>;

/**
 * A generator that returns the same numbers for the same seed on every machine: mulberry32 (Tommy Ettinger, 2017,
 * public domain). The seed is a number, or a text of which the FNV-1a hash is taken.
 */
export function createRandom(seed: number | string) {
  let state = typeof seed === "number" ? seed >>> 0 : hashText(seed);

  /** 0 (included) to 1 (not included). */
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
    /** A whole number, both ends included. */
    whole: (low: number, high: number) => Math.floor(between(low, high + 1)),
    chance: (probability: number) => next() < probability,
    /** `value` or `-value`. */
    sign: () => (next() < 0.5 ? -1 : 1),
    /** A number of the standard normal distribution (Box and Muller, 1958). */
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick<Item>(items: readonly [Item, ...Item[]]): Item {
      return items[Math.floor(next() * items.length)] ?? items[0];
    },
    /** A new array in a random order. */
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
  // A finaliser, because texts that differ in their last letter only have similar hashes.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) | 0;
}
