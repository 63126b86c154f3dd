/**
 * Collects the duration of replies, and reports the count, the median and the 95th percentile of each kind.
 */
export function createReplyTimes() {
  const times = new Map<string, number[]>();
  return {
    add(kind: string, seconds: number): void {
      times.set(kind, [...(times.get(kind) ?? []), seconds]);
    },
    report(): string {
      const lines = [...times].map(([kind, values]) => {
        const sorted = values.toSorted((a, b) => a - b);
        const [median, p95, longest] = [0.5, 0.95, 1].map((share) => findQuantile(sorted, share).toFixed(1));
        return `${kind}: ${sorted.length}, median ${median} s, p95 ${p95} s, longest ${longest} s`;
      });
      return lines.join("\n");
    },
  };
}

/** The nearest-rank quantile. */
function findQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
