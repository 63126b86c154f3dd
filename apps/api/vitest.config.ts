import { areVideoTestsRun, patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFilesWithVideos,
    reporters,
    setupFiles: ["test/fixtures/watch-logs.ts"],
    globalSetup: ["@koma/database/testing/setup", "test/fixtures/prepare-library.ts"],
    // The files of a worker share its library, so that it is opened once.
    isolate: false,
    // Slow tests measure time and memory, and share one embedded database.
    fileParallelism: !areVideoTestsRun,
    ...patience,
  },
});
