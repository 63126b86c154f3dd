/** The time that one call has, waits and repetitions included. */
export type Deadline = ReturnType<typeof startDeadline>;

/** Starts the time of a call; `signal`, where given, ends it too. To be closed. */
export function startDeadline(options: { deadlineMs: number; signal: AbortSignal | undefined }) {
  const controller = new AbortController();
  const endsAt = performance.now() + options.deadlineMs;
  const stop = () => controller.abort(options.signal?.reason);
  const timer = setTimeout(() => controller.abort(), Math.min(options.deadlineMs, longestTimerMs));
  if (options.signal?.aborted) stop();
  else options.signal?.addEventListener("abort", stop, { once: true });

  return {
    /** Aborted when the time is over or the caller gives up. */
    signal: controller.signal,

    /** Throws the caller's reason where the caller has given up. */
    throwIfStopped(): void {
      options.signal?.throwIfAborted();
    },

    /** True where so much time is left. */
    allows(milliseconds: number): boolean {
      return performance.now() + milliseconds < endsAt;
    },

    /** Waits, or throws the caller's reason as soon as the caller gives up. */
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
