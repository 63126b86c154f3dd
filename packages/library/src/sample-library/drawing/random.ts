export type Random = ReturnType<typeof createRandom>;

/** A seeded source of numbers: the same seed draws the same film everywhere (mulberry32 by Tommy Ettinger). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (from: number, to: number) => from + (to - from) * next();
  return { next, between, isLucky: (chance: number) => next() < chance };
}
