import { areRootTestsRun, areSlowTestsRun, patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    ...testFiles,
    reporters,
    globalSetup: [
      "test/testing/setup.ts",
      ...(areSlowTestsRun || areRootTestsRun ? ["test/prepare-embedded.ts"] : []),
    ],
    ...patience,
  },
});
