import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/fixtures/watch-logs.ts"],
    globalSetup: ["test/fixtures/prepare-library.ts"],
    // One after the other: they share one library and its database, and some measure time.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
