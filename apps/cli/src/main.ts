import { exitCodes, watchInterruption } from "@koma/process";
import { CommanderError } from "commander";
import { CommandError } from "./command-error.ts";
import { createProgram } from "./program.ts";

/**
 * Runs `koma` with these arguments. Resolves with the exit code: 0 success, 1 failure, 2 wrong usage, 78
 * failure that no restart resolves, 130 interrupted.
 */
export async function run(args: readonly string[]): Promise<number> {
  const interruption = watchInterruption();
  // The command ends by itself: an immediate exit can abort threads that compute descriptors.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    interruption.abort(0);
  });
  let exitCode: number = exitCodes.success;
  try {
    const program = await createProgram(args, {
      signal: interruption.signal,
      finish: (code) => {
        exitCode = code;
      },
    });
    await program.parseAsync(args, { from: "user" });
    return interruption.exitCode() ?? exitCode;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.success : exitCodes.wrongUsage;
    const interruptedCode = interruption.exitCode();
    if (interruptedCode !== undefined) return interruptedCode;
    if (error instanceof CommandError) {
      process.stderr.write(`koma: ${error.message}\n`);
      return exitCodes.failure;
    }
    // The packages that define the other expected errors take long to import.
    const { explainCommandError } = await import("./explain-error.ts");
    const { text, exitCode } = explainCommandError(error);
    process.stderr.write(`${text}\n`);
    return exitCode;
  } finally {
    interruption.stop();
  }
}
