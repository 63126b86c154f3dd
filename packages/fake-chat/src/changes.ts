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
  const listeners = new Set<() => void>();

  /** Resolves with the first value that is not undefined; rejects after `patienceMs` with the description. */
  const waitFor = <Value>(find: () => Value | undefined, what: () => string): Promise<Value> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        clearInterval(pollTimer);
        listeners.delete(checkStatus);
      };
      const checkStatus = () => {
        try {
          const found = find();
          if (found === undefined) return;
          stop();
          resolve(found);
        } catch (error) {
          stop();
          reject(error);
        }
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`Waited ${patienceMs} ms for ${what()}.`));
      }, patienceMs);
      const pollTimer = setInterval(checkStatus, pollMs);
      listeners.add(checkStatus);
      checkStatus();
    });

  return {
    waitFor,

    /** Announces a change: all waiting conditions are checked. */
    announce() {
      for (const listener of [...listeners]) listener();
    },

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
