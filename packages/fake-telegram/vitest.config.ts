import { reporters, sourceFirst, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  ...sourceFirst,
  test: { ...testFiles, reporters, testTimeout: 60_000, hookTimeout: 60_000 },
});
