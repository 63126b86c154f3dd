import { areRootTestsRun, areSlowTestsRun, patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    // The files of a worker share their modules, which take longer to load than most of them run.
    isolate: areSlowTestsRun || areRootTestsRun,
    globalSetup: [
      "test/testing/setup.ts",
      ...(areSlowTestsRun || areRootTestsRun ? ["test/prepare-embedded.ts"] : []),
    ],
    ...patience,
  },
});
