import { appendFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { type Counts, countsFileName } from "./read-counts.ts";

/**
 * Writes the numbers of a run as a JSON line to `.test-counts.json` of the package, an output that turbo
 * restores with a cached result, and appends it to the file that KOMA_COUNTS_FILE names.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts: Counts = { package: basename(process.cwd()), passed: 0, failed: [], skipped: [], slow: [] };
    for (const module of modules) {
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      const seconds = Math.round((duration + collectDuration + setupDuration) / 1000);
      if (seconds >= 2) counts.slow.push({ file: module.relativeModuleId, seconds });
      for (const error of module.errors()) counts.failed.push(describe(module, "", error));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") counts.passed++;
        else if (state === "failed") counts.failed.push(describe(module, test.fullName, errors[0]));
        else counts.skipped.push(describe(module, test.fullName));
      }
    }
    const line = `${JSON.stringify(counts)}\n`;
    const file = process.env.KOMA_COUNTS_FILE;
    if (file) appendFileSync(file, line);
    else writeFileSync(countsFileName, line);
  }
}

function describe(module: TestModule, name: string, error?: { message: string }): string {
  const reason = error === undefined ? "" : ` (${error.message.replace(/\s+/g, " ").trim().slice(0, 300)})`;
  return `${module.relativeModuleId}: ${name}${reason}`;
}
