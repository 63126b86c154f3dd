import { exitCodes } from "./exit-codes.ts";

type ErrorClass = abstract new (...args: never[]) => Error;

/** The errors of a program whose messages describe the remedy. */
export type ExpectedErrors = {
  /** Those that only a change of the configuration resolves. */
  configuration: readonly ErrorClass[];
  /** The others, which may not occur at the next start. */
  other: readonly ErrorClass[];
};

/** The end of a process after an error. */
export type ExplainedError = { text: string; exitCode: number; isExpected: boolean };

/**
 * The text and the exit code for an error: the message of an expected one, the stack of an unexpected one. A file
 * without access is expected in every program.
 */
export function explainError(error: unknown, expected: ExpectedErrors): ExplainedError {
  if (isAccessRefused(error)) {
    const text = `${error.message}. Make the user of Koma its owner, or choose another file or folder.`;
    return { text, exitCode: exitCodes.failure, isExpected: true };
  }
  const isOneOf = (kinds: readonly ErrorClass[]) => kinds.some((kind) => error instanceof kind);
  const isConfiguration = isOneOf(expected.configuration);
  const isExpected = isConfiguration || isOneOf(expected.other);
  const text = isExpected && error instanceof Error ? error.message : readStack(error);
  return { text, exitCode: isConfiguration ? exitCodes.configuration : exitCodes.failure, isExpected };
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
