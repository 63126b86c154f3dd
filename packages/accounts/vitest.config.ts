import { patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["@koma/database/testing/setup"],
    maxWorkers: 2,
    ...testFiles,
    reporters,
    ...patience,
  },
});
