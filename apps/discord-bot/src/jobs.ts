/** What runs now, so that a shutdown can wait for it. */
export function createJobs(onFailure: (name: string, error: unknown) => void) {
  const running = new Set<Promise<void>>();
  return {
    /** Starts work that nobody waits for; what it throws goes to `onFailure`. */
    start(name: string, work: () => Promise<unknown>): void {
      const job = work().then(
        () => {},
        (error: unknown) => onFailure(name, error),
      );
      running.add(job);
      void job.finally(() => running.delete(job));
    },
    count: () => running.size,
    /** Resolves when nothing runs any more, or after `ms`. */
    async settle(ms: number): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      const quiet = (async () => {
        while (running.size > 0) await Promise.all(running);
      })();
      await Promise.race([quiet, late]);
      clearTimeout(timer);
    },
  };
}
