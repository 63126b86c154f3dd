import { patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["@koma/database/testing/setup", "test/prepare-library.ts"],
    maxWorkers: 3,
    ...testFilesWithVideos,
    reporters,
    ...patience,
    testTimeout: 300_000,
  },
});
