/** A seeded source of chance: the same seed gives the same numbers on every machine. */
export type Random = ReturnType<typeof createRandom>;

/** Seeds mulberry32 (Tommy Ettinger, public domain) with the FNV-1a hash of a text. */
export function createRandom(seed: string) {
  let state = hashText(seed);

  /** 0 (included) to 1 (not included). */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
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
    pick<Item>(items: readonly [Item, ...Item[]]): Item {
      return items[Math.floor(next() * items.length)] ?? items[0];
    },
    /** A new array in an order of chance. */
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
  // A finaliser, as texts that differ in their last letter only would start alike.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) | 0;
}
