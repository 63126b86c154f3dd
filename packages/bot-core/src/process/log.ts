import type { Configuration } from "@koma/config";
import { type DestinationStream, destination, pino } from "pino";
import type { Platform } from "../model/request.ts";

/** The level of a log line. */
type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** Writes JSON lines. They contain no tokens, keys, message contents or personal names. */
export type Log = { [L in LogLevel]: (message: string, details?: Readonly<Record<string, unknown>>) => void };

/** Creates a bot's log on standard error, in the format of the API's log. */
export function createLog(
  name: Platform,
  level: Configuration["LOG_LEVEL"],
  stream: DestinationStream = destination({ fd: 2, sync: true }),
): Log {
  const logger = pino({ level, base: { name } }, stream);
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
