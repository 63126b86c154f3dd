import { EventEmitter, once } from "node:events";

/** The poll interval of a waiting test, for changes that only the bot knows. */
const pollMs = 50;

/** A rule that the bot broke, or an invalid response of the fake. */
export type Violation = {
  /** `schema`, `components`, `keyboard`, `media`, `rate-limit`, `fake` … */
  rule: string;
  /** The method and path of the request, or the method of the call. */
  where: string;
  /** The problem, with its path inside the body. */
  problem: string;
};

/** Lets tests wait for a condition; every change of the fake is announced. */
export function createChanges(patienceMs: number) {
  const changes = new EventEmitter<{ change: [] }>().setMaxListeners(0);

  /** Resolves with the first value that is not undefined; rejects after `patienceMs` with the description. */
  const waitFor = async <Value>(find: () => Value | undefined, what: () => string): Promise<Value> => {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (performance.now() >= endMs) throw new Error(`Waited ${patienceMs} ms for ${what()}.`);
      await once(changes, "change", { signal: AbortSignal.timeout(pollMs) }).catch(() => undefined);
    }
  };

  return {
    waitFor,

    /** Announces a change: all waiting conditions are checked. */
    announce: () => changes.emit("change"),

    /** Waits until the condition holds. */
    async waitUntil(condition: () => boolean, what = "the condition"): Promise<void> {
      await waitFor(
        () => condition() || undefined,
        () => what,
      );
    },
  };
}

/** See `createChanges`. */
export type Changes = ReturnType<typeof createChanges>;
