import { type DestinationStream, destination, type LevelWithSilent, pino } from "pino";
import type { PrettyOptions } from "pino-pretty";

/** The level of a log line. */
type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** Writes JSON lines. They contain no tokens, keys, message contents or personal names. */
export type Log = { [L in LogLevel]: (message: string, details?: Readonly<Record<string, unknown>>) => void };

type OutputOptions = {
  isTerminal?: boolean;
  output?: DestinationStream;
  format?: Pick<PrettyOptions, "colorize" | "ignore">;
};

/** Creates a program's log on standard error: JSON lines, and readable ones on a terminal. */
export async function createLog(
  name: string,
  level: LevelWithSilent,
  options: OutputOptions = {},
): Promise<Log> {
  const output = await openLogOutput({ format: { colorize: true }, ...options });
  const logger = pino({ level, base: { name } }, output);
  const write =
    (own: LogLevel): Log[LogLevel] =>
    (message, details = {}) =>
      logger[own](details, message);
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    fatal: write("fatal"),
  };
}

/**
 * The output of a log of pino: standard error, with readable lines on a terminal. Each line is formatted before
 * the call returns, so that the last lines of a process are not lost.
 */
export async function openLogOutput({
  isTerminal = process.stderr.isTTY === true,
  output = destination({ fd: 2, sync: true }),
  format = {},
}: OutputOptions = {}): Promise<DestinationStream> {
  if (!isTerminal) return output;
  const { prettyFactory } = await import("pino-pretty");
  const toText = prettyFactory({ ...format, translateTime: "SYS:HH:MM:ss" });
  return { write: (line: string) => output.write(toText(line)) };
}
