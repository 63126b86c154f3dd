/** The poll interval of a waiting test, for changes that only the bot knows. */
const pollMs = 50;

/** Lets tests wait for a condition; every change of the fake is announced. */
export function createChanges(patienceMs: number) {
  const listeners = new Set<() => void>();

  return {
    /** Announces a change: all waiting conditions are checked. */
    announce() {
      for (const listener of [...listeners]) listener();
    },

    /**
     * Resolves with the first value that is not undefined; rejects after `patienceMs` with the description.
     */
    waitFor<Value>(find: () => Value | undefined, what: () => string): Promise<Value> {
      return new Promise((resolve, reject) => {
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
    },
  };
}
