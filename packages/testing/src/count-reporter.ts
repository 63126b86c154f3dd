import { appendFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { countsFileName } from "./read-counts.ts";

/** What ran in one package. */
export type Counts = { package: string; passed: number; failed: number; skipped: string[] };

/**
 * Writes the numbers of a run as a JSON line to `.test-counts.json` of the package, an output that turbo restores with
 * a cached result, and appends it to the file that KOMA_COUNTS_FILE names.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts: Counts = { package: basename(process.cwd()), passed: 0, failed: 0, skipped: [] };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") counts.passed++;
        else if (state === "failed") counts.failed++;
        else counts.skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    const line = `${JSON.stringify(counts)}\n`;
    const file = process.env.KOMA_COUNTS_FILE;
    if (file) appendFileSync(file, line);
    else writeFileSync(countsFileName, line);
  }
}
