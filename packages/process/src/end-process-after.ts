import { exitCodes } from "./exit-codes.ts";
import type { ExplainedError } from "./explain-error.ts";

/**
 * Ends this process when the work is done: with its exit code, or with that of its error, whose text is written
 * to standard error.
 */
export function endProcessAfter(
  work: Promise<number | undefined>,
  explain: (error: unknown) => Pick<ExplainedError, "text" | "exitCode">,
): void {
  work.then(
    (exitCode = exitCodes.success) => process.exit(exitCode),
    (error: unknown) => {
      const { text, exitCode } = explain(error);
      process.stderr.write(`${text}\n`, () => process.exit(exitCode));
    },
  );
}
