import type { Counts } from "./read-counts.ts";
import { describeMissing, type Requirement } from "./requirements.ts";

/** The summary at the end: the number of tests, the skipped ones, and what to install to run them. */
export function describeSummary(run: {
  counts: readonly Counts[];
  missing: readonly Requirement[];
  isGood: boolean;
}): string {
  const { counts, missing, isGood } = run;
  const passed = sum(counts.map((one) => one.passed));
  const failed = sum(counts.map((one) => one.failed.length));
  const skipped = sum(counts.map((one) => one.skipped.length));
  const perPackage = counts
    .filter((one) => one.skipped.length > 0)
    .map((one) => `  ${one.package}: ${one.skipped.length} skipped`);
  // Up to 20 skipped tests are listed; more have a common cause, which is listed instead.
  const names = skipped <= 20 ? counts.flatMap((one) => one.skipped.map((name) => `    ${name}`)) : [];
  const failures = counts.flatMap((one) => one.failed.map((name) => `  failed in ${one.package}: ${name}`));
  return [
    ...perPackage,
    ...names,
    ...missing.map((requirement) => `  ${describeMissing(requirement)}`),
    ...failures,
    `${isGood ? "Passed" : "FAILED"}: ${passed} tests ran in ${counts.length} package runs and passed, ${failed} failed, ${skipped} skipped.`,
  ].join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
