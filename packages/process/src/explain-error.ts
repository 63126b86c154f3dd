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
 * another one. A file or a folder that cannot be used is expected in every program.
 */
export function explainError(error: unknown, expected: readonly ErrorClass[]): ExplainedError {
  const remedy = findRemedy(error);
  if (remedy !== undefined)
    return { text: `${readMessage(error)}. ${remedy}`, exitCode: exitCodes.failure, isExpected: true };
  if (!(error instanceof Error && expected.some((kind) => error instanceof kind))) {
    return { text: readStack(error), exitCode: exitCodes.failure, isExpected: false };
  }
  const isConfiguration = configurationErrors.has(error.name);
  const exitCode = isConfiguration ? exitCodes.configuration : exitCodes.failure;
  return { text: error.message, exitCode, isExpected: true };
}

/** What to do about a file or a folder that cannot be used; undefined for another error. */
function findRemedy(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("path" in error && "code" in error)) return undefined;
  const code = String(error.code);
  if (["EACCES", "EPERM", "EROFS"].includes(code))
    return "Make the user of Koma its owner, or choose another file or folder.";
  // A folder is created with those above it: a link to nothing is in its place.
  const isLinkToNothing = code === "ENOENT" && "syscall" in error && error.syscall === "mkdir";
  if (code === "ENOTDIR" || isLinkToNothing)
    return "A file, or a link to a folder that does not exist, is in the place of a folder: remove it, or choose another folder.";
  return undefined;
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The stack of an error, without the secrets in it. */
export function readStack(error: unknown, secrets: readonly string[] = []): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return secrets
    .filter((secret) => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}
