import { setTimeout as sleep } from "node:timers/promises";
import { DiscordAPIError } from "discord.js";

const waitsMs = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/**
 * Retries temporary failures (5xx, no connection, including discord.js's own retries) with growing delays for
 * two minutes. Throws Discord's rejections, and the last failure.
 */
export async function persist<A>(work: () => Promise<A>, { signal }: { signal: AbortSignal }): Promise<A> {
  for (const waitMs of waitsMs) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DiscordAPIError || signal.aborted) throw error;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {});
  }
  return work();
}
