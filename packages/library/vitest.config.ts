import { areSlowTestsRun, patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    globalSetup: [
      "@koma/database/testing/setup",
      ...(areSlowTestsRun ? ["test/fixtures/prepare-fixtures.ts"] : []),
    ],
    // Each file opens a database and engine threads.
    maxWorkers: 2,
    ...patience,
  },
});
