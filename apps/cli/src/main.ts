import { ConfigurationError, configurationExitCode } from "@koma/config";
import { MetricsPortError } from "@koma/metrics";
import { CommanderError } from "commander";
import { explainError } from "./explain-error.ts";
import { watchInterruption } from "./interruption.ts";
import { createProgram } from "./program.ts";

/**
 * Runs `koma` with these arguments. Resolves with the exit code: 0 success, 1 failure, 2 wrong usage, 78 invalid
 * configuration, 130 interrupted.
 */
export async function run(args: readonly string[]): Promise<number> {
  process.stdout.on("error", exitOnClosedPipe);
  const interruption = watchInterruption();
  let exitCode = 0;
  const program = createProgram({
    signal: interruption.signal,
    finish: (code) => {
      exitCode = code;
    },
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return interruption.exitCode() ?? exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const interruptedCode = interruption.exitCode();
    if (interruptedCode !== undefined) return interruptedCode;
    process.stderr.write(`${explainError(error)}\n`);
    const isConfiguration = error instanceof ConfigurationError || error instanceof MetricsPortError;
    return isConfiguration ? configurationExitCode : 1;
  } finally {
    interruption.stop();
  }
}

function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}
