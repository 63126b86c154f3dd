/** Runs `work` once at a time. All calls during a run share the one after it, which sees what they announce. */
export function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  return function run(): Promise<Result> {
    if (running === undefined) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
