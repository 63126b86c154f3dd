import { patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { maxWorkers: 3, ...testFilesWithVideos, reporters, ...patience },
});
