import { setTimeout as sleep } from "node:timers/promises";
import type { IIdentifyThrottler } from "@discordjs/ws";

/** Discord's five seconds, and half a second for different delays of the network. */
const gapMs = 5_500;

/**
 * Delays the identifies of all processes of a bot, as Discord demands: one per five seconds of the shards with
 * the same remainder by `max_concurrency`. A process reserves one turn at a time, so that its end costs the
 * others one turn. Without the database it keeps the distance between its own shards.
 */
export function createIdentifyThrottler(options: {
  maxConcurrency: number;
  /** Reserves the next free turn of all processes and returns the time until then. */
  reserveTurn: (name: string, gapMs: number) => Promise<number>;
  onError: (error: unknown) => void;
}): IIdentifyThrottler {
  const turns = new Map<number, Promise<void>>();

  async function wait(bucket: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const waitMs = await options.reserveTurn(`identify ${bucket}`, gapMs).catch((error: unknown) => {
      options.onError(error);
      return gapMs;
    });
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }

  return {
    async waitForIdentify(shard, signal) {
      const bucket = shard % options.maxConcurrency;
      const turn = (turns.get(bucket) ?? Promise.resolve()).then(() => wait(bucket, signal));
      turns.set(bucket, turn);
      await turn;
      signal.throwIfAborted();
    },
  };
}
