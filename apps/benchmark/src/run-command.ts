import { resolve } from "node:path";
import { explainCommandError } from "@koma/cli/explain-error";
import { createProgress } from "@koma/cli/terminal/progress";
import { watchInterruption } from "@koma/process";
import { CommanderError, InvalidArgumentError } from "commander";

/** The progress bars of this process. */
export const progress = createProgress();

/** Resolves a path against the user's folder: npm runs this in the folder of the package. */
export function resolveUserPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? ".", path);
}

/** Parses the value of an option that is a number of things. */
export function parseCount(value: string): number {
  const count = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(count))
    throw new InvalidArgumentError("It must be an integer.");
  return count;
}

/**
 * Runs the command of this process until Ctrl-C. Its exit code is the result, 2 after wrong usage, which was
 * printed, and 1 after another error, which is explained.
 */
export async function runCommand(command: (signal: AbortSignal) => Promise<number>): Promise<void> {
  const interruption = watchInterruption();
  try {
    process.exitCode = await command(interruption.signal);
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (!isUsage && interruption.exitCode() === undefined)
      process.stderr.write(`${explainCommandError(error).text}\n`);
    process.exitCode = interruption.exitCode() ?? (isUsage ? (error.exitCode === 0 ? 0 : 2) : 1);
  } finally {
    progress.close();
    interruption.stop();
  }
}
