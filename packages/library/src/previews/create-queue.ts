import pLimit from "p-limit";

/**
 * A queue that runs tasks in order of arrival, at most `concurrency` at a time; `createBusyError` creates the
 * error for a full queue.
 */
export function createQueue(o: { concurrency: number; maxQueued: number; createBusyError: () => Error }) {
  const limit = pLimit(o.concurrency);
  return {
    async run<T>(task: () => Promise<T>): Promise<T> {
      const isFull = limit.activeCount >= o.concurrency && limit.pendingCount >= o.maxQueued;
      if (isFull) throw o.createBusyError();
      return await limit(task);
    },
    status: () => ({ running: limit.activeCount, waiting: limit.pendingCount }),
  };
}
