import { patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    reporters,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          ...patience,
          name: "parts",
          include: testFilesWithVideos.include,
          exclude: [...testFilesWithVideos.exclude, "test/e2e/**"],
        },
      },
      {
        extends: true,
        // The real bot and the real API run as processes, on a library that is rendered and indexed once.
        test: {
          ...patience,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          exclude: testFilesWithVideos.exclude,
          globalSetup: ["@koma/bot-core/testing/prepare-library"],
        },
      },
    ],
  },
});
