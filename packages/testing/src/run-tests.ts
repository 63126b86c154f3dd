import { spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { describeSummary } from "./describe-summary.ts";
import { countsFileName, readCounts } from "./read-counts.ts";
import { describeMissing, listMissing, listToolVersions, mayBeAbsent } from "./requirements.ts";

/**
 * Runs the repository's checks and tests with turbo and prints a summary of executed and skipped tests.
 * Results of earlier runs are reused while the inputs, the versions of Node, ffmpeg and Chromium and the
 * KOMA_TEST_* variables are the same.
 */
function runTests(args: readonly string[]): number {
  const missing = listMissing();
  const errors = missing.filter((requirement) => !mayBeAbsent(requirement));
  if (errors.length > 0) {
    process.stderr.write(`${errors.map(describeMissing).join("\n")}\n`);
    return 1;
  }
  for (const file of listCountsFiles()) rmSync(file, { force: true });
  const checks = ["types", "lint", "terminology", "unused", "drift", "configuration"].map(
    (name) => `//#${name}`,
  );
  // More packages at a time would compete for the cores with tests that measure time.
  const concurrency = Math.min(4, Math.max(2, Math.floor(availableParallelism() / 2)));
  const isGood =
    turbo(["boundaries"]) &&
    turbo([
      "run",
      "--continue",
      `--concurrency=${concurrency}`,
      "--output-logs=new-only",
      ...checks,
      "test",
      ...args,
    ]);
  const counts = listCountsFiles().flatMap(readCounts);
  // CI adds the numbers of this run to those of its other runs.
  const file = process.env.KOMA_COUNTS_FILE;
  if (file) appendFileSync(file, counts.map((one) => `${JSON.stringify(one)}\n`).join(""));
  process.stdout.write(`\n${describeSummary({ counts, missing, isGood })}\n`);
  return isGood && counts.some(({ passed }) => passed > 0) ? 0 : 1;
}

function turbo(args: readonly string[]): boolean {
  // The variable is part of the cache key; CI's file is not, because each package would otherwise write to
  // both.
  const env = { ...process.env, KOMA_TEST_TOOLS: listToolVersions().join(", "), KOMA_COUNTS_FILE: "" };
  return (
    spawnSync(process.execPath, ["node_modules/turbo/bin/turbo", ...args], { stdio: "inherit", env })
      .status === 0
  );
}

function listCountsFiles(): string[] {
  return ["apps", "packages"].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name, countsFileName)),
  );
}

process.exitCode = runTests(process.argv.slice(2));
