/** The time limit of one call, including waits and retries. */
export type Deadline = ReturnType<typeof startDeadline>;

/** Starts the time limit of a call; `signal` ends it too. The caller must close it. */
export function startDeadline(options: { deadlineMs: number; signal: AbortSignal | undefined }) {
  const controller = new AbortController();
  const endsAt = performance.now() + options.deadlineMs;
  const stop = () => controller.abort(options.signal?.reason);
  const timer = setTimeout(() => controller.abort(), Math.min(options.deadlineMs, longestTimerMs));
  if (options.signal?.aborted) stop();
  else options.signal?.addEventListener("abort", stop, { once: true });

  return {
    /** Aborts when the time is over or the caller aborts. */
    signal: controller.signal,

    /** Throws the caller's reason if the caller has aborted. */
    throwIfStopped(): void {
      options.signal?.throwIfAborted();
    },

    /** True if at least this much time remains. */
    allows(milliseconds: number): boolean {
      return performance.now() + milliseconds < endsAt;
    },

    /** Waits, or throws the caller's reason as soon as the caller aborts. */
    async wait(milliseconds: number): Promise<void> {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(waiting);
          controller.signal.removeEventListener("abort", done);
          resolve();
        };
        const waiting = setTimeout(done, milliseconds);
        controller.signal.addEventListener("abort", done);
        if (controller.signal.aborted) done();
      });
      options.signal?.throwIfAborted();
    },

    close(): void {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
    },
  };
}

/** Timers count milliseconds in 31 bits. */
const longestTimerMs = 2 ** 31 - 1;
