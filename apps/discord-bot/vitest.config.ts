import { defineConfig } from "vitest/config";

const patience = { testTimeout: 60_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...patience,
          name: "parts",
          include: ["test/**/*.test.ts"],
          exclude: ["test/whole/**"],
        },
      },
      {
        // The real bot and the real API as processes, on a library that is drawn and indexed once.
        test: {
          ...patience,
          name: "whole",
          include: ["test/whole/**/*.test.ts"],
          globalSetup: ["@koma/bot-core/testing/prepare-library"],
        },
      },
    ],
  },
});
