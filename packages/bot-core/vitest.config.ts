import { patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    // Memory is compared after a garbage collection.
    execArgv: ["--expose-gc"],
    globalSetup: ["@koma/database/testing/setup", "test/fixtures/prepare-api.ts"],
    // Each file of the tests with an API has one, and a database, of its own.
    maxWorkers: 2,
    ...patience,
  },
});
