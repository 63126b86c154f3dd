import { patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["@koma/database/testing/setup", "test/prepare-library.ts"],
    maxWorkers: 3,
    ...testFilesWithVideos,
    // The files of a worker share the modules of the product, which take longer to load than many tests run.
    isolate: false,
    reporters,
    ...patience,
    testTimeout: 300_000,
  },
});
