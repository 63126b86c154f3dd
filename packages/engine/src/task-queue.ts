import { unlessAborted } from "@koma/image";

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
      await unlessAborted(slot, signal);
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
