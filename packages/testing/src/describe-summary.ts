import type { Counts } from "./read-counts.ts";
import { describeMissing, type Requirement } from "./requirements.ts";

/**
 * The summary at the end: the ten slowest files, the number of tests, the skipped ones, what to install to run
 * them, and the files with slow tests that were left out.
 */
export function describeSummary(run: {
  counts: readonly Counts[];
  missing: readonly Requirement[];
  isGood: boolean;
  /** The number of files with slow tests that did not run. */
  filesLeft?: number;
}): string {
  const { counts, missing, isGood, filesLeft = 0 } = run;
  const passed = sum(counts.map((one) => one.passed));
  const failed = sum(counts.map((one) => one.failed.length));
  const skipped = sum(counts.map((one) => one.skipped.length));
  const perPackage = counts
    .filter((one) => one.skipped.length > 0)
    .map((one) => `  ${one.package}: ${one.skipped.length} skipped`);
  // Up to 20 skipped tests are listed; more have a common cause, which is listed instead.
  const names = skipped <= 20 ? counts.flatMap((one) => one.skipped.map((name) => `    ${name}`)) : [];
  const failures = counts.flatMap((one) => one.failed.map((name) => `  failed in ${one.package}: ${name}`));
  const slowest = counts
    .flatMap((one) => one.slow.map(({ file, seconds }) => ({ seconds, name: `${one.package}: ${file}` })))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ seconds, name }) => `  ${seconds} s in ${name}`);
  return [
    ...slowest,
    ...perPackage,
    ...names,
    ...missing.map((requirement) => `  ${describeMissing(requirement)}`),
    ...failures,
    ...(isGood || failed > 0 ? [] : ["  failed: no test, but a check or a build; a line above names it"]),
    `${isGood ? "Passed" : "FAILED"}: ${passed} tests ran in ${counts.length} package runs and passed, ${failed} failed, ${skipped} skipped.`,
    ...(filesLeft > 0
      ? [
          `${filesLeft} files with slow tests did not run (programs, browsers, videos): \`npm run test:all\` runs them too.`,
        ]
      : []),
  ].join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
