import { patience, reporters, testFiles } from "@koma/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { ...testFiles, reporters, ...patience } });
