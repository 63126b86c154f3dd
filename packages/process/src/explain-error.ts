import { exitCodes } from "./exit-codes.ts";

type ErrorClass = abstract new (...args: never[]) => Error;

/** The names of the errors that no restart resolves, in every program. Packages above this one define their classes. */
const configurationErrors = new Set([
  "BotRefusedError",
  "ConfigurationError",
  "FfmpegPathError",
  "IndexUnavailableError",
  "MetricsPortError",
  "MigrationError",
  "PortTakenError",
]);

/** The end of a process after an error. */
export type ExplainedError = { text: string; exitCode: number; isExpected: boolean };

/**
 * The text and the exit code for an error: the message of one of `expected`, which describes the remedy, and the stack of
 * another one. A file without access is expected in every program.
 */
export function explainError(error: unknown, expected: readonly ErrorClass[]): ExplainedError {
  if (isAccessRefused(error)) {
    const text = `${error.message}. Make the user of Koma its owner, or choose another file or folder.`;
    return { text, exitCode: exitCodes.failure, isExpected: true };
  }
  if (!(error instanceof Error && expected.some((kind) => error instanceof kind))) {
    return { text: readStack(error), exitCode: exitCodes.failure, isExpected: false };
  }
  const isConfiguration = configurationErrors.has(error.name);
  const exitCode = isConfiguration ? exitCodes.configuration : exitCodes.failure;
  return { text: error.message, exitCode, isExpected: true };
}

function isAccessRefused(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !("path" in error && "code" in error)) return false;
  return ["EACCES", "EPERM", "EROFS"].includes(String(error.code));
}

/** The stack of an error, without the secrets in it. */
export function readStack(error: unknown, secrets: readonly string[] = []): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return secrets
    .filter((secret) => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}
