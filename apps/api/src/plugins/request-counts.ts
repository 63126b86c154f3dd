import type { Database } from "@koma/database";

/** The requests of a network in its minute, and the milliseconds that are left of it. */
export type RequestCount = { count: number; remainingMs: number };

/**
 * Counts requests by network: immediately in this process, and within about a second over all instances on
 * one database, because each instance shares its counts at that interval. While the database is unavailable,
 * each instance counts alone.
 */
export function createRequestCounts(options: {
  rateLimits: Pick<Database["rateLimits"], "add">;
  /** The hash of a network in the database. */
  hash: (network: string) => string;
  windowMs: number;
}) {
  const { rateLimits, hash, windowMs } = options;
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;
  let exchanging: Promise<void> = Promise.resolve();
  let isClosed = false;

  function schedule(afterMs: number): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      exchanging = exchange()
        .catch(() => retryMs)
        .then((nextMs) => {
          timer = undefined;
          if (nextMs !== undefined) schedule(nextMs);
        });
    }, afterMs).unref();
  }

  /** Sends the local counts and receives those of other instances. Returns the time of the next exchange. */
  async function exchange(): Promise<number | undefined> {
    const beganMs = performance.now();
    const additions: { key: string; count: number; remainingMs: number; window: Window }[] = [];
    for (const [network, window] of windows) {
      const remainingMs = window.endsAtMs - beganMs;
      if (remainingMs <= 0) windows.delete(network);
      else if (window.unsent > 0)
        additions.push({ key: hash(network), count: window.unsent, remainingMs, window });
      if (additions.length === additionsPerBatch) break;
    }
    const responses = await rateLimits.add(
      additions.map(({ key, count, remainingMs }) => ({ key, count, remainingMs })),
    );
    const known = new Map(responses.map((response) => [response.key, response]));
    const at = performance.now();
    for (const { key, count, window } of additions) {
      const all = known.get(key);
      if (all === undefined) continue;
      window.unsent -= count;
      window.count = all.count + window.unsent;
      window.endsAtMs = at + all.remainingMs;
    }
    return additions.length > 0 ? intervalMs : undefined;
  }

  return {
    /** Counts one request. */
    take(network: string): RequestCount {
      const at = performance.now();
      const open = windows.get(network);
      const window =
        open !== undefined && open.endsAtMs > at ? open : { count: 0, unsent: 0, endsAtMs: at + windowMs };
      window.count += 1;
      window.unsent += 1;
      // The map is ordered by last use, and the oldest entry is evicted.
      windows.delete(network);
      windows.set(network, window);
      const [oldest] = windows.size > networkLimit ? windows.keys() : [];
      if (oldest !== undefined) windows.delete(oldest);
      schedule(intervalMs);
      // The sum and the difference of fractions can exceed the window by a rounding error.
      return { count: window.count, remainingMs: Math.min(windowMs, window.endsAtMs - at) };
    },

    /** Resolves when all exchanges have ended. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await exchanging;
    },
  };
}

/** `unsent`: the part of the count that is not in the database yet. */
type Window = { count: number; unsent: number; endsAtMs: number };

const intervalMs = 500;
/** The interval between exchanges while the database is unavailable. */
const retryMs = 5000;
const additionsPerBatch = 1000;
const networkLimit = 10_000;
