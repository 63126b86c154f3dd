type Priority = "first" | "last";
type Task = () => void;

/**
 * A queue that runs tasks, at most `concurrency` at a time: those with the priority `first` before all
 * others, and each kind in order of arrival. At most `maxQueued` of each kind wait; `createBusyError` creates
 * the error for more.
 */
export function createQueue(o: { concurrency: number; maxQueued: number; createBusyError: () => Error }) {
  // p-limit knows no priorities.
  const waiting: Record<Priority, Task[]> = { first: [], last: [] };
  let running = 0;

  return {
    async run<T>(task: () => Promise<T>, priority: Priority = "last"): Promise<T> {
      if (running < o.concurrency) running++;
      else {
        if (waiting[priority].length >= o.maxQueued) throw o.createBusyError();
        // The task that ends leaves its slot to this one.
        await new Promise<void>((start) => waiting[priority].push(start));
      }
      try {
        return await task();
      } finally {
        const next = waiting.first.shift() ?? waiting.last.shift();
        if (next === undefined) running--;
        else next();
      }
    },
    status: () => ({ running, waiting: waiting.first.length + waiting.last.length }),
  };
}
