import { exitCodes } from "./exit-codes.ts";

/** The end of a service. */
export type Shutdown = {
  /** Aborts at SIGINT, at SIGTERM, and when the parent that forked this process has ended. */
  signal: AbortSignal;
  /** Resolves when the signal aborts. */
  requested: Promise<undefined>;
  /** Ends this process as failed after the time limit, as the abort of the signal also does. */
  endInTime(): void;
};

/**
 * Watches for the end of a service until the process ends. A request for it starts the time limit. A repeated signal
 * is ignored, or ends the process at once. Output that nobody reads any more is discarded.
 */
export function watchShutdown(options: {
  limitMs: number;
  /** The message of the signal's reason. */
  reason: string;
  onRepeat: "ignore" | "end";
}): Shutdown {
  // close-with-grace does not handle `disconnect`, sets the exit code itself, and ends the process on an unhandled
  // rejection.
  const controller = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<undefined>();
  const endInTime = () => void setTimeout(() => process.exit(exitCodes.failure), options.limitMs).unref();
  const stop = () => {
    if (controller.signal.aborted) return;
    endInTime();
    controller.abort(new Error(options.reason));
    resolve(undefined);
  };
  // A parent that has ended reads no standard output.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  for (const name of ["SIGINT", "SIGTERM", "disconnect"]) {
    // Without a listener, Node ends the process at a signal.
    if (options.onRepeat === "end") process.once(name, stop);
    else process.on(name, stop);
  }
  return { signal: controller.signal, requested, endInTime };
}
