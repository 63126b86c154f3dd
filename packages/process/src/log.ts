import { type DestinationStream, destination, type LevelWithSilent, pino } from "pino";
import { prettyFactory } from "pino-pretty";

/** The level of a log line. */
type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** Writes JSON lines. They contain no tokens, keys, message contents or personal names. */
export type Log = { [L in LogLevel]: (message: string, details?: Readonly<Record<string, unknown>>) => void };

/**
 * Creates a bot's log on standard error: JSON lines, and readable ones on a terminal, both as in the API's
 * log.
 */
export function createLog(
  name: string,
  level: LevelWithSilent,
  {
    isTerminal = process.stderr.isTTY === true,
    output = destination({ fd: 2, sync: true }),
  }: { isTerminal?: boolean; output?: DestinationStream } = {},
): Log {
  const logger = pino({ level, base: { name } }, isTerminal ? format(output) : output);
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

/** Formats each line before it returns, so that the last lines of a process are not lost. */
function format(output: DestinationStream): DestinationStream {
  const toText = prettyFactory({ colorize: true, translateTime: "SYS:HH:MM:ss" });
  return { write: (line: string) => output.write(toText(line)) };
}
