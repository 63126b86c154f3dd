import type { Database } from "@koma/database";

/** How many requests a network has made in its minute, and the milliseconds that are left of it. */
export type RequestCount = { count: number; remainingMs: number };

/**
 * Counts requests by network: here at once, and over all instances on one database within about a second, because each tells
 * the others so often what it counted. Where the database is away, it goes on alone.
 */
export function createRequestCounts(options: {
  attempts: Pick<Database["attempts"], "add">;
  /** What stands for a network in the database. */
  hash: (network: string) => string;
  windowMs: number;
}) {
  const { attempts, hash, windowMs } = options;
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;
  let exchanging: Promise<void> = Promise.resolve();
  let isClosed = false;

  function schedule(afterMs: number): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      exchanging = exchange()
        .catch(() => patienceMs)
        .then((nextMs) => {
          timer = undefined;
          if (nextMs !== undefined) schedule(nextMs);
        });
    }, afterMs).unref();
  }

  /** Tells what was counted here, learns what was counted elsewhere; gives when to do so again. */
  async function exchange(): Promise<number | undefined> {
    const beganMs = performance.now();
    const additions: { key: string; count: number; remainingMs: number; window: Window }[] = [];
    for (const [network, window] of windows) {
      const remainingMs = window.endsAtMs - beganMs;
      if (remainingMs <= 0) windows.delete(network);
      else if (window.untold > 0)
        additions.push({ key: hash(network), count: window.untold, remainingMs, window });
      if (additions.length === additionsPerBatch) break;
    }
    const responses = await attempts.add(
      additions.map(({ key, count, remainingMs }) => ({ key, count, remainingMs })),
    );
    const known = new Map(responses.map((response) => [response.key, response]));
    const at = performance.now();
    for (const { key, count, window } of additions) {
      const all = known.get(key);
      if (all === undefined) continue;
      window.untold -= count;
      window.count = all.count + window.untold;
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
        open !== undefined && open.endsAtMs > at ? open : { count: 0, untold: 0, endsAtMs: at + windowMs };
      window.count += 1;
      window.untold += 1;
      // The one that was asked for last stands last, and the first goes where there are too many.
      windows.delete(network);
      windows.set(network, window);
      const [oldest] = windows.size > networkLimit ? windows.keys() : [];
      if (oldest !== undefined) windows.delete(oldest);
      schedule(intervalMs);
      return { count: window.count, remainingMs: window.endsAtMs - at };
    },

    /** Ends when nothing is told any more. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await exchanging;
    },
  };
}

/** `untold`: of them, those that the database does not know yet. */
type Window = { count: number; untold: number; endsAtMs: number };

const intervalMs = 500;
/** Where the database is away. */
const patienceMs = 5000;
const additionsPerBatch = 1000;
const networkLimit = 10_000;
