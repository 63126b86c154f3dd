/** Gives each person one slot at a time. */
export type FairQueue = ReturnType<typeof createFairQueue>;

/** The person's queue is full. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/** The queue is closed. */
export class QueueClosedError extends Error {
  override readonly name = "QueueClosedError";
}

type Waiting = { start: () => void };
type Line = { isRunning: boolean; waiting: Waiting[] };

/**
 * Runs tasks: those of one person in order, those of different people concurrently, at most `concurrent` in
 * all. The person with the longest wait is next. A person has at most `perPerson` tasks, including the
 * running one.
 */
export function createFairQueue({ perPerson, concurrent }: { perPerson: number; concurrent: number }) {
  // p-queue knows one order for all tasks: neither an order for each person nor slots between people.
  const lines = new Map<string, Line>();
  // People with waiting and without running tasks, the longest wait first.
  const slots: string[] = [];
  let running = 0;
  let isClosed = false;
  let onIdle: (() => void) | undefined;

  return {
    /**
     * The result of `task` in its slot. Throws QueueFullError, QueueClosedError, and the errors of `task`.
     */
    async run<Result>(person: string, task: () => Promise<Result>): Promise<Result> {
      if (countBefore(person) >= perPerson) throw new QueueFullError("The queue of this person is full.");
      return await enqueue(person, task);
    },

    /** The result of `task` after all waiting tasks of the person, without a limit on their number. */
    async runAfterAll<Result>(person: string, task: () => Promise<Result>): Promise<Result> {
      return await enqueue(person, task);
    },

    status: () => ({
      running,
      waiting: [...lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
    }),

    /** Accepts no new tasks; resolves when all accepted tasks are done. */
    async close(): Promise<void> {
      isClosed = true;
      if (lines.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };

  function countBefore(person: string): number {
    const line = lines.get(person);
    return line === undefined ? 0 : line.waiting.length + (line.isRunning ? 1 : 0);
  }

  async function enqueue<Result>(person: string, task: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw new QueueClosedError("The queue is closed.");
    const before = countBefore(person);
    const line = lines.get(person) ?? { isRunning: false, waiting: [] };
    lines.set(person, line);
    const slot = new Promise<void>((resolve) => line.waiting.push({ start: resolve }));
    if (before === 0) slots.push(person);
    startNext();
    await slot;
    try {
      return await task();
    } finally {
      end(person, line);
    }
  }

  function startNext(): void {
    while (running < concurrent) {
      const person = slots.shift();
      const line = person === undefined ? undefined : lines.get(person);
      const next = line?.waiting.shift();
      if (line === undefined || next === undefined) return;
      line.isRunning = true;
      running++;
      next.start();
    }
  }

  function end(person: string, line: Line): void {
    running--;
    line.isRunning = false;
    if (line.waiting.length > 0) slots.push(person);
    else lines.delete(person);
    startNext();
    if (lines.size === 0) onIdle?.();
  }
}
