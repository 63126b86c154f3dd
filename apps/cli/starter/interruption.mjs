import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
// npm and the terminal both deliver one Ctrl-C; only a later one means "now".
const impatientAfterMs = 1500;

/**
 * Turns the first SIGINT, SIGTERM or SIGHUP into an aborted `signal`, so that whatever runs can end its children;
 * a second one by an impatient person calls what `onImpatient` was given.
 */
export function watchInterruption() {
  const controller = new AbortController();
  const impatientListeners = new Set();
  let firstSignal;
  let firstAtMs = 0;

  function onSignal(name) {
    if (firstSignal === undefined) {
      firstSignal = name;
      firstAtMs = Date.now();
      controller.abort(new Error(`interrupted by ${name}`));
    } else if (Date.now() - firstAtMs > impatientAfterMs) {
      for (const listener of impatientListeners) listener();
    }
  }
  for (const name of signals) process.on(name, onSignal);

  return {
    signal: controller.signal,
    name: () => firstSignal,
    exitCode: () => 128 + constants.signals[firstSignal],
    onImpatient(listener) {
      impatientListeners.add(listener);
      return () => impatientListeners.delete(listener);
    },
    stop() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
