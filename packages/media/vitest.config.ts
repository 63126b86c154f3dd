import { patience, reporters, testFilesWithVideos } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { ...testFilesWithVideos, reporters, ...patience },
});
