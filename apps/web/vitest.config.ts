import { areSlowTestsRun, patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    globalSetup: areSlowTestsRun ? "test/fixtures/prepare.ts" : [],
    // The files share the modules and the contexts of the browser.
    isolate: false,
    // Several browsers at once would only wait for each other.
    maxWorkers: 1,
    ...patience,
  },
});
