/** How often a waiting test looks again by itself: it may wait for something that only the bot knows. */
const pollMs = 50;

/** Lets tests wait for something to become true: every change of the world is announced. */
export function createChanges(patienceMs: number) {
  const listeners = new Set<() => void>();

  return {
    /** Something happened: everybody who waits looks again. */
    announce() {
      for (const listener of [...listeners]) listener();
    },

    /** The first value that is not undefined; rejects after the patience, with what was waited for. */
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
