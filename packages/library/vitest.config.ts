import { areVideoTestsRun, patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFilesWithVideos,
    reporters,
    globalSetup: [
      "@koma/database/testing/setup",
      ...(areVideoTestsRun ? ["test/fixtures/prepare-fixtures.ts"] : []),
    ],
    // Each file opens a database and engine threads.
    maxWorkers: 2,
    ...patience,
  },
});
