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
        // The files share one API, and those of a worker their modules.
        test: {
          ...patience,
          name: "api",
          include: [withApi],
          exclude: testFilesWithVideos.exclude,
          globalSetup: ["test/shared/prepare-library.ts"],
          isolate: false,
          maxWorkers: 2,
        },
      },
    ],
  },
});
