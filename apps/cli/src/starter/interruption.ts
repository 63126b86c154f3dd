import { constants } from "node:os";

const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
// npm and the terminal both deliver one Ctrl-C; only a later signal is a second request.
const repeatAfterMs = 1500;

/**
 * Turns the first SIGINT, SIGTERM or SIGHUP into an aborted `signal`, so that running steps can end their
 * children. A later signal calls the listeners of `onRepeat`.
 */
export function watchInterruption() {
  const controller = new AbortController();
  const repeatListeners = new Set<() => void>();
  let firstSignal: NodeJS.Signals | undefined;
  let firstAtMs = 0;

  function onSignal(name: NodeJS.Signals): void {
    if (firstSignal === undefined) {
      firstSignal = name;
      firstAtMs = Date.now();
      controller.abort(new Error(`interrupted by ${name}`));
    } else if (Date.now() - firstAtMs > repeatAfterMs) {
      for (const listener of repeatListeners) listener();
    }
  }
  for (const name of signals) process.on(name, onSignal);

  return {
    signal: controller.signal,
    name: () => firstSignal,
    exitCode: () => 128 + (firstSignal === undefined ? 0 : constants.signals[firstSignal]),
    onRepeat(listener: () => void) {
      repeatListeners.add(listener);
      return () => void repeatListeners.delete(listener);
    },
    stop() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
