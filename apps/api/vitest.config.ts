import { areSlowTestsRun, patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    setupFiles: ["test/fixtures/watch-logs.ts"],
    globalSetup: ["@koma/database/testing/setup", "test/fixtures/prepare-library.ts"],
    // The files of a worker share its library, so that it is opened once.
    isolate: false,
    // Slow tests measure time and memory, and share one embedded database.
    fileParallelism: !areSlowTestsRun,
    ...patience,
  },
});
