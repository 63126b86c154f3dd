import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest time at a stretch before other calls get their turn. */
const SLICE_MS = 4;

/** The result is awaited after each small piece of work. It lets waiting messages in when the thread was busy for a while. */
export function createTurns() {
  let since = performance.now();
  return (): Promise<void> | undefined => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
