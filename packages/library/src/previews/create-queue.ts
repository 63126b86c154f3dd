/**
 * A queue that runs tasks in order of arrival, at most `concurrency` at a time; `createBusyError` creates the
 * error for a full queue.
 */
export function createQueue(o: { concurrency: number; maxQueued: number; createBusyError: () => Error }) {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= o.concurrency) {
      if (waiting.length >= o.maxQueued) throw o.createBusyError();
      // A finished task passes its slot to a waiting one, so `running` stays the same.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return { run, status: () => ({ running, waiting: waiting.length }) };
}
