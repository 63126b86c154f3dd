import { reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { ...testFiles, reporters, testTimeout: 180_000, hookTimeout: 300_000 },
});
