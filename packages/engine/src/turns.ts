import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest uninterrupted work before other calls run. */
const SLICE_MS = 4;

/**
 * The caller awaits the result after each small piece of work. It processes waiting messages after a busy
 * period.
 */
export function createTurns() {
  let since = performance.now();
  return (): Promise<void> | undefined => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
