import { describeSummary } from "./describe-summary.ts";
import { readCounts } from "./read-counts.ts";

// Prints the last lines of CI: its slowest test files and the number of tests in all of its runs. The second
// argument is 1 if a run has failed, which its tests need not have.
const [file = "", failed] = process.argv.slice(2);
const counts = readCounts(file);
const isGood =
  failed !== "1" &&
  counts.some(({ passed }) => passed > 0) &&
  counts.every(({ failed }) => failed.length === 0);
process.stdout.write(`${describeSummary({ counts, missing: [], isGood })}\n`);
process.exitCode = isGood ? 0 : 1;
