import { setImmediate as nextIteration } from "node:timers/promises";
import { type Cancellation, throwIfCancelled } from "./cancellation.ts";

/** Longest uninterrupted work before other calls run. */
const SLICE_MS = 4;

/**
 * The caller awaits the result after each small piece of work. It processes waiting messages after a busy
 * period. Throws when the work is cancelled.
 */
export function createYield(cancelled?: Cancellation) {
  let since = performance.now();
  return (): Promise<void> | undefined => {
    throwIfCancelled(cancelled);
    if (performance.now() - since < SLICE_MS) return undefined;
    return nextIteration().then(() => {
      since = performance.now();
    });
  };
}
