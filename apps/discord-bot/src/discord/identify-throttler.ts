import { setTimeout as sleep } from "node:timers/promises";
import type { IIdentifyThrottler } from "@discordjs/ws";

/** Discord's five seconds, and half a second for different delays of the processes and the network. */
const gapMs = 5_500;
/** An identify that is later than this would come too close to the one of the next slot. */
const longestDelayMs = 250;
/** The slots that a busy process reserves for one identify; Discord rejects one that comes too early. */
const mostSlots = 3;

/**
 * Delays the identifies of all processes of a bot, as Discord demands: one per five seconds of the shards with
 * the same remainder by `max_concurrency`. A process reserves one slot at a time, so that its end costs the
 * others one slot. Without the database it keeps the distance between its own shards.
 */
export function createIdentifyThrottler(options: {
  maxConcurrency: number;
  /** Reserves the next free slot of all processes and returns the time until then. */
  reserveSlot: (name: string, gapMs: number) => Promise<number>;
  onError: (error: unknown) => void;
}): IIdentifyThrottler {
  const slots = new Map<number, Promise<void>>();

  async function wait(bucket: number, signal: AbortSignal): Promise<void> {
    for (let slot = 0; slot < mostSlots && !signal.aborted; slot += 1) {
      const startMs = performance.now();
      const waitMs = await options.reserveSlot(`identify ${bucket}`, gapMs).catch((error: unknown) => {
        options.onError(error);
        return gapMs;
      });
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (performance.now() - startMs - waitMs < longestDelayMs) return;
    }
  }

  return {
    async waitForIdentify(shard, signal) {
      const bucket = shard % options.maxConcurrency;
      const slot = (slots.get(bucket) ?? Promise.resolve()).then(() => wait(bucket, signal));
      slots.set(bucket, slot);
      await slot;
      signal.throwIfAborted();
    },
  };
}
