import { setTimeout as sleep } from "node:timers/promises";

/** A connection that lasted this long resets the delay. */
const stableMs = 60_000;
const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

type Shard = { failures: number; connectedAtMs: number | undefined; retryAtMs: number; code: number };

/** Delays the reconnection of gateway shards exponentially, and names the reason of a lost connection. */
export type ReconnectBackoff = ReturnType<typeof createReconnectBackoff>;

export function createReconnectBackoff(now: () => number = Date.now) {
  const shards = new Map<number, Shard>();
  let isClosed = false;

  return {
    /** Registers a closed connection; returns the delay until the next attempt in milliseconds. */
    closed(shard: number, code: number): number {
      const known = shards.get(shard);
      const connectedAtMs = known?.connectedAtMs;
      const wasStable = connectedAtMs !== undefined && now() - connectedAtMs >= stableMs;
      const failures = wasStable ? 0 : (known?.failures ?? 0);
      const delayMs = failures === 0 ? 0 : Math.min(firstDelayMs * 2 ** (failures - 1), longestDelayMs);
      // Jitter: the shards of all bots do not reconnect at the same moment after an outage.
      const retryInMs = Math.round(delayMs * (0.75 + Math.random() / 4));
      const retryAtMs = now() + retryInMs;
      shards.set(shard, { failures: failures + 1, connectedAtMs: undefined, retryAtMs, code });
      return retryInMs;
    },
    connected(shard: number): void {
      const { failures = 0, code = 0 } = shards.get(shard) ?? {};
      shards.set(shard, { failures, code, connectedAtMs: now(), retryAtMs: 0 });
    },
    /** Resolves when the shard may connect; never after `close`, because discord.js would connect again. */
    async wait(shard: number): Promise<void> {
      const leftMs = (shards.get(shard)?.retryAtMs ?? 0) - now();
      if (leftMs > 0) await sleep(leftMs, undefined, { ref: false });
      if (isClosed) await new Promise(() => {});
    },
    close(): void {
      isClosed = true;
    },
    /** The reason why a shard is not connected; undefined if all are. */
    reason(): string | undefined {
      const [lost] = [...shards.values()].filter(({ connectedAtMs }) => connectedAtMs === undefined);
      if (lost === undefined) return undefined;
      const attempts = lost.failures === 1 ? "1 attempt" : `${lost.failures} attempts`;
      return `The gateway connection was closed with code ${lost.code}; reconnecting (${attempts}).`;
    },
  };
}
