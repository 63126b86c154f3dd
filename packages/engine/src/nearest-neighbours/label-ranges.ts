/** Labels from `first` up to `end`, one per frame of an episode. */
export type LabelRange = { first: number; end: number };

/** The used labels: those below `nextLabel` outside of the free ranges. */
export type LabelState = { nextLabel: number; freeRanges: LabelRange[] };

/** A released range is assigned again after this time, which is longer than any search: one may hold its labels. */
export const REUSE_AFTER_MS = 10 * 60_000;

/** Assigns ranges of labels. */
export function createLabelRanges(state: LabelState = { nextLabel: 0, freeRanges: [] }) {
  let { nextLabel } = state;
  let freeRanges = [...state.freeRanges];
  let released: (LabelRange & { atMs: number })[] = [];

  /** Frees the ranges that no search can hold any more. */
  function freeReleased(): void {
    const reusableMs = performance.now() - REUSE_AFTER_MS;
    freeRanges = joinRanges([...freeRanges, ...released.filter(({ atMs }) => atMs <= reusableMs)]);
    released = released.filter(({ atMs }) => atMs > reusableMs);
  }

  return {
    /** True if `take` can assign labels that were used before. */
    hasFree(count: number): boolean {
      freeReleased();
      return freeRanges.some(({ first, end }) => end - first >= count);
    },
    take(count: number): LabelRange {
      freeReleased();
      const at = freeRanges.findIndex(({ first, end }) => end - first >= count);
      const free = freeRanges[at];
      if (free === undefined) {
        const first = nextLabel;
        nextLabel += count;
        return { first, end: nextLabel };
      }
      const range = { first: free.first, end: free.first + count };
      freeRanges = freeRanges
        .with(at, { first: range.end, end: free.end })
        .filter(({ first, end }) => first < end);
      return range;
    },
    release(range: LabelRange): void {
      released.push({ ...range, atMs: performance.now() });
    },
    state: (): LabelState => ({ nextLabel, freeRanges: joinRanges([...freeRanges, ...released]) }),
  };
}

/** Joins adjacent ranges. */
function joinRanges(ranges: readonly LabelRange[]): LabelRange[] {
  const joined: LabelRange[] = [];
  for (const { first, end } of ranges.toSorted((a, b) => a.first - b.first)) {
    const last = joined.at(-1);
    if (last?.end === first) joined[joined.length - 1] = { first: last.first, end };
    else if (end > first) joined.push({ first, end });
  }
  return joined;
}
