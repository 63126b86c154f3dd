import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM"] as const;
// npm and the terminal both deliver one Ctrl-C; only a later signal is a second request.
const repeatAfterMs = 1500;

/** Watches for signals until `stop`. */
export type Interruption = {
  signal: AbortSignal;
  /** The exit code that shells expect after the received signal; undefined without one. */
  exitCode(): number | undefined;
  stop(): void;
};

/** Turns the first SIGINT or SIGTERM into an aborted `signal`; a later one ends the process. */
export function watchInterruption(): Interruption {
  const controller = new AbortController();
  let first: { name: (typeof signals)[number]; atMs: number } | undefined;

  function onSignal(name: (typeof signals)[number]): void {
    if (first === undefined) {
      first = { name, atMs: Date.now() };
      controller.abort();
    } else if (Date.now() - first.atMs > repeatAfterMs) {
      process.exit(128 + constants.signals[name]);
    }
  }
  for (const name of signals) process.on(name, onSignal);

  return {
    signal: controller.signal,
    exitCode: () => (first === undefined ? undefined : 128 + constants.signals[first.name]),
    stop() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
