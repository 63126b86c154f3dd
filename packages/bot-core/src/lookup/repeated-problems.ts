/** A person is told the same problem once in this time. */
const repetitionMs = 60_000;
const peopleLimit = 10_000;

/** Remembers which problems people were told, so that a flood of images leads to one reply only. */
export function createRepeatedProblems({ now }: { now: () => Date }) {
  const shown = new Map<string, number>();

  return {
    /** True if the person was told this problem within the last minute; if not, it counts as told now. */
    isRepeated(personId: string, problem: string): boolean {
      const name = `${problem} ${personId}`;
      const nowMs = now().getTime();
      const shownMs = shown.get(name);
      if (shownMs !== undefined && nowMs - shownMs < repetitionMs) return true;
      shown.delete(name);
      shown.set(name, nowMs);
      const [oldest] = shown.keys();
      if (shown.size > peopleLimit && oldest !== undefined) shown.delete(oldest);
      return false;
    },
  };
}
