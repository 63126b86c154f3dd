import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeSummary } from "./describe-summary.ts";
import { readCounts } from "./read-counts.ts";
import { describeMissing, listMissing, mayBeAbsent } from "./requirements.ts";

/** Runs the repository's checks and tests with turbo and says at the end what ran and what did not. */
function runTests(args: readonly string[]): number {
  const missing = listMissing();
  const errors = missing.filter((requirement) => !mayBeAbsent(requirement));
  if (errors.length > 0) {
    process.stderr.write(`${errors.map(describeMissing).join("\n")}\n`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), "koma-counts-"));
  // CI adds the numbers of this run to those of its other runs.
  const file = process.env.KOMA_TEST_COUNTS || join(folder, "counts.jsonl");
  try {
    const checks = ["lint", "terminology", "unused", "drift", "configuration"].map((name) => `//#${name}`);
    const isGood =
      turbo(["boundaries"], file) &&
      turbo(
        ["run", "--continue", "--concurrency=1", "--output-logs=new-only", ...checks, "test", ...args],
        file,
      );
    const counts = readCounts(file);
    process.stdout.write(`\n${describeSummary({ counts, missing, isGood })}\n`);
    return isGood && counts.some(({ passed }) => passed > 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function turbo(args: readonly string[], countsFile: string): boolean {
  const env = { ...process.env, KOMA_TEST_COUNTS: countsFile };
  return spawnSync("turbo", args, { stdio: "inherit", env }).status === 0;
}

process.exitCode = runTests(process.argv.slice(2));
