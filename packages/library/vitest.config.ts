import { areSlowTestsRun, patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    // The files of a worker share their modules, which take longer to load than most of them run.
    isolate: areSlowTestsRun,
    globalSetup: [
      "@koma/database/testing/setup",
      ...(areSlowTestsRun ? ["test/fixtures/prepare-fixtures.ts"] : []),
    ],
    // Each file opens a database and engine threads.
    maxWorkers: 2,
    ...patience,
  },
});
