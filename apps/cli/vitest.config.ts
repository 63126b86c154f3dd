import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { maxWorkers: 3, include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
