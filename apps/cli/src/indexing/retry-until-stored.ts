import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable, isDiskFull } from "@koma/database";

/**
 * Repeats `work` every minute while the database has no space or does not respond, so that a run of --watch outlives
 * both. Other errors are thrown.
 */
export async function retryUntilStored<T>(
  work: () => Promise<T>,
  o: { report: (sentence: string) => void; signal: AbortSignal; retryAfterMs?: number },
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isFull = isDiskFull(error);
      if (o.signal.aborted || !(isFull || isDatabaseUnavailable(error))) throw error;
      const problem = isFull ? "The disk of the database is full." : "The database does not respond.";
      o.report(`${problem} Indexing is tried again in a minute.`);
      // A run that is stopped meanwhile reports that itself.
      await sleep(o.retryAfterMs ?? 60_000, undefined, { signal: o.signal }).catch(() => undefined);
    }
  }
}
