import { patience, reporters, sourceFirst, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  ...sourceFirst,
  test: { ...testFiles, reporters, ...patience },
});
