import { patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

const withApi = "test/**/*.slow.test.ts";

export default defineConfig({
  test: {
    reporters,
    projects: [
      {
        extends: true,
        test: {
          ...patience,
          name: "parts",
          ...testFilesWithVideos,
          exclude: [...testFilesWithVideos.exclude, withApi],
          // Memory is compared after a garbage collection.
          execArgv: ["--expose-gc"],
          globalSetup: ["@koma/database/testing/setup"],
        },
      },
      {
        extends: true,
        // The real API runs as a process, on a library that is rendered and indexed once.
        test: {
          ...patience,
          name: "api",
          include: [withApi],
          exclude: testFilesWithVideos.exclude,
          globalSetup: ["@koma/database/testing/setup", "test/fixtures/prepare-api.ts"],
          // Each file has an API and a database of its own.
          maxWorkers: 2,
        },
      },
    ],
  },
});
