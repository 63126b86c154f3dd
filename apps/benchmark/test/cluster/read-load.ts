import { setTimeout as wait } from "node:timers/promises";

const pauseMs = 100;
const timeoutMs = 20_000;

export type ReadLoad = ReturnType<typeof startReads>;

/** Reads an address of an API continuously; collects the statuses and the longest time without a success. */
export function startReads(url: string) {
  const stopping = new AbortController();
  const statuses = new Map<string, number>();
  let succeededAtMs = performance.now();
  let longestGapMs = 0;
  const working = (async () => {
    while (!stopping.signal.aborted) {
      const status = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
        async (response) => {
          await response.arrayBuffer();
          return String(response.status);
        },
        (error: Error) => error.name,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const nowMs = performance.now();
      longestGapMs = Math.max(longestGapMs, nowMs - succeededAtMs);
      if (status === "200") succeededAtMs = nowMs;
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    statuses,
    /** Returns the longest time without a success since the last call, in seconds. */
    takeLongestGap(): number {
      const seconds = longestGapMs / 1000;
      longestGapMs = 0;
      return seconds;
    },
    async stop(): Promise<void> {
      stopping.abort();
      await working;
    },
  };
}
