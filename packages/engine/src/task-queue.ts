/** A queue of tasks that run `atOnce` at a time, in their order. */
export function createTaskQueue(atOnce: number) {
  const waiting = new Set<() => void>();
  let running = 0;

  return {
    /** Runs the task when its turn comes. While it waits, the signal takes it out of the queue and its reason is thrown. */
    async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (running >= atOnce) await waitForTurn(signal);
      else running++;
      try {
        return await task();
      } finally {
        startNext();
      }
    },
  };

  async function waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    let start: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      start = resolve;
    });
    waiting.add(start);
    try {
      await abortable(turn, signal);
    } catch (error) {
      // Its turn may have come in the same moment.
      if (!waiting.delete(start)) startNext();
      throw error;
    }
  }

  /** Hands the place of a finished task on. */
  function startNext(): void {
    const [next] = waiting;
    if (next === undefined) running--;
    else {
      waiting.delete(next);
      next();
    }
  }
}

/** The promise, or the signal's reason as soon as it aborts. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = deferRejection();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function deferRejection(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  return { promise, reject };
}
