/** Runs tasks, at most `concurrency` at a time, in the order they came; `refuse` makes the error for one too many. */
export function createQueue(o: { concurrency: number; maxQueued: number; refuse: () => Error }) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= o.concurrency) {
      if (waiting.length >= o.maxQueued) throw o.refuse();
      // Who ends hands its place on, so that `running` stays.
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
  };
}
