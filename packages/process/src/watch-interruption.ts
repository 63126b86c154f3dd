import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM"] as const;
// npm and the terminal both deliver one Ctrl-C; only a later signal is a second request.
const repeatAfterMs = 1500;

/** Watches for signals until `stop`. */
export type Interruption = {
  signal: AbortSignal;
  /** Aborts as a received signal does; the process then ends with this code. */
  abort(exitCode: number): void;
  /** The code after `abort`, or the one that shells expect after the received signal; else undefined. */
  exitCode(): number | undefined;
  stop(): void;
};

/**
 * Turns the first SIGINT or SIGTERM into an aborted `signal`; a later one ends the process. The end of the parent that
 * forked this process aborts it as SIGTERM does.
 */
export function watchInterruption(): Interruption {
  const controller = new AbortController();
  let first: { exitCode: number; atMs: number } | undefined;

  function abort(exitCode: number): void {
    first ??= { exitCode, atMs: Date.now() };
    controller.abort();
  }

  function onSignal(name: (typeof signals)[number]): void {
    if (first === undefined) abort(128 + constants.signals[name]);
    else if (Date.now() - first.atMs > repeatAfterMs) process.exit(128 + constants.signals[name]);
  }
  const onParentEnd = () => abort(128 + constants.signals.SIGTERM);
  for (const name of signals) process.on(name, onSignal);
  process.on("disconnect", onParentEnd);

  return {
    signal: controller.signal,
    abort,
    exitCode: () => first?.exitCode,
    stop() {
      for (const name of signals) process.off(name, onSignal);
      // With a listener, the channel to the parent keeps this process alive.
      process.off("disconnect", onParentEnd);
    },
  };
}
