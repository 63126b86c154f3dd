import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** What ran in one package. */
export type Counts = { package: string; passed: number; failed: number; skipped: string[] };

/** Appends the numbers of a run as a JSON line to the file that KOMA_TEST_COUNTS names. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.KOMA_TEST_COUNTS;
    if (file === undefined || file === "") return;
    const counts: Counts = { package: basename(process.cwd()), passed: 0, failed: 0, skipped: [] };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") counts.passed++;
        else if (state === "failed") counts.failed++;
        else counts.skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    appendFileSync(file, `${JSON.stringify(counts)}\n`);
  }
}
