import type { Platform } from "../model/request.ts";

/** How important a line of the log is. */
type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** Writes lines of JSON. Neither tokens nor keys, contents or names of people belong into them. */
export type Log = { [L in LogLevel]: (message: string, details?: Readonly<Record<string, unknown>>) => void };

const numbers = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 } as const;

/** A bot's log, which leaves out what is less important than `level`; the lines look like those of the API. */
export function createLog(
  name: Platform,
  level: keyof typeof numbers,
  stream: { write(text: string): unknown } = process.stderr,
): Log {
  const write =
    (own: LogLevel): Log[LogLevel] =>
    (message, details = {}) => {
      if (numbers[own] < numbers[level]) return;
      stream.write(
        `${JSON.stringify({ level: numbers[own], time: Date.now(), name, ...details, msg: message })}\n`,
      );
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    fatal: write("fatal"),
  };
}
