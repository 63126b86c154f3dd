import { configureBotTests } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: configureBotTests({ prepareLibrary: "@koma/bot-core/testing/prepare-library" }),
});
