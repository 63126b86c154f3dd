import { patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    globalSetup: ["test/fixtures/prepare-fixtures.ts"],
    // Each file opens an embedded database and engine threads.
    maxWorkers: 2,
    ...patience,
  },
});
