/** The cache is written after a period without changes, and at intervals during many changes. */
const quietMs = 5000;
const latestMs = 60_000;
/** Writing takes at most this share of the time: each save writes the whole index, at 10 million frames 7 GB. */
const mostShare = 0.05;

/** Decides when a changed index is written to its cache. Times are milliseconds of one clock. */
export function createSaveSchedule(startedMs: number) {
  let changedAtMs = startedMs;
  let saved = { atMs: startedMs, tookMs: 0, isGood: true };

  return {
    /** The index has changed. */
    change(nowMs: number): void {
      changedAtMs = nowMs;
    },
    isDue(nowMs: number): boolean {
      const sinceMs = nowMs - saved.atMs;
      if (sinceMs < saved.tookMs / mostShare) return false;
      // On a full disk every attempt would write the whole index without success.
      return sinceMs > latestMs || (saved.isGood && nowMs - changedAtMs > quietMs);
    },
    /** An attempt to write the cache has ended. */
    save(attempt: { startedMs: number; endedMs: number; isGood: boolean }): void {
      const { startedMs, endedMs, isGood } = attempt;
      saved = { atMs: endedMs, tookMs: endedMs - startedMs, isGood };
    },
  };
}
