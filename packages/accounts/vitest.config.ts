import { patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["@koma/database/testing/setup"],
    maxWorkers: 2,
    // The files of a worker share their modules, which take longer to load than most of them run.
    isolate: false,
    ...testFiles,
    reporters,
    ...patience,
  },
});
