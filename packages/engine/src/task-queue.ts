/** A queue that runs `atOnce` tasks at a time, in their order. */
export function createTaskQueue(atOnce: number) {
  const waiting = new Set<() => void>();
  let running = 0;

  return {
    /**
     * Runs the task after those before it. While it waits, the signal removes it from the queue and its
     * reason is thrown.
     */
    async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (running >= atOnce) await waitForSlot(signal);
      else running++;
      try {
        return await task();
      } finally {
        startNext();
      }
    },

    /** The numbers of running and waiting tasks. */
    status: () => ({ running, waiting: waiting.size }),
  };

  async function waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    const { promise: slot, resolve: start } = Promise.withResolvers<void>();
    waiting.add(start);
    try {
      await abortable(slot, signal);
    } catch (error) {
      // The task may have started at the same moment.
      if (!waiting.delete(start)) startNext();
      throw error;
    }
  }

  /** Starts the next task after one finished. */
  function startNext(): void {
    const [next] = waiting;
    if (next === undefined) running--;
    else {
      waiting.delete(next);
      next();
    }
  }
}

/** Returns the result of the promise, or throws the signal's reason as soon as it aborts. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
