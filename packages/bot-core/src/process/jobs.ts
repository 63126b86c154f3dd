import { setTimeout as sleep } from "node:timers/promises";

/** Tracks running work, so that a shutdown can wait for it. */
export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(onFailure: (name: string, error: unknown) => void) {
  const running = new Set<Promise<void>>();
  return {
    /** Starts work. `onFailure` receives its errors, so `settle` never rejects. */
    start(name: string, work: () => Promise<unknown>): Promise<void> {
      const job = work().then(
        () => {},
        (error: unknown) => onFailure(name, error),
      );
      running.add(job);
      return job.finally(() => running.delete(job));
    },
    count: () => running.size,
    /** Resolves when no work is running, or after `ms`. */
    async settle(ms: number): Promise<void> {
      const quiet = (async () => {
        while (running.size > 0) await Promise.all(running);
      })();
      await Promise.race([quiet, sleep(ms, undefined, { ref: false })]);
    },
  };
}
