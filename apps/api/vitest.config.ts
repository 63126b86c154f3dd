import { patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    setupFiles: ["test/fixtures/watch-logs.ts"],
    globalSetup: ["@koma/database/testing/setup", "test/fixtures/prepare-library.ts"],
    // The files run one after the other: they share one library and its database, and some measure time.
    fileParallelism: false,
    ...patience,
  },
});
