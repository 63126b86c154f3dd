/** Time between two comparisons of all episodes. */
const compareGapMs = 60_000;

/**
 * Tracks up to which library change an index in the database is complete, so that a poll without a change reads
 * no episodes: the comparison of 100,000 episodes takes 0.1 s of CPU. All episodes are compared at the start and
 * every minute, because another process can empty the index.
 */
export function createIndexProgress(readTimeMs: () => number = () => performance.now()) {
  let completeSeq = 0n;
  let comparedAtMs = Number.NEGATIVE_INFINITY;

  return {
    /** The number after which episodes can be missing in the index; undefined when it is complete at `newestSeq`. */
    missingAfter(newestSeq: bigint): bigint | undefined {
      if (readTimeMs() - comparedAtMs >= compareGapMs || newestSeq < completeSeq) completeSeq = 0n;
      else if (newestSeq === completeSeq) return undefined;
      return completeSeq;
    },

    /** No episode up to `seq`, which was read before the comparison, is missing. */
    setComplete(seq: bigint): void {
      if (completeSeq === 0n) comparedAtMs = readTimeMs();
      completeSeq = seq;
    },
  };
}
