import { findChromium } from "@koma/testing";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

it("returns undefined for a missing program outside of CI", () => {
  vi.stubEnv("CI", "");
  vi.stubEnv("KOMA_TEST_CHROMIUM", "/nonexistent");
  expect(findChromium()).toBeUndefined();
});

it("throws in CI and names what to install, unless the run excludes it explicitly", () => {
  vi.stubEnv("CI", "true");
  vi.stubEnv("KOMA_TEST_CHROMIUM", "/nonexistent");
  expect(() => findChromium()).toThrow(/Chromium is missing: .*apt install chromium/);
  vi.stubEnv("KOMA_TEST_WITHOUT", "chromium");
  expect(findChromium()).toBeUndefined();
  vi.stubEnv("KOMA_TEST_CHROMIUM", process.execPath);
  expect(findChromium()).toBe(process.execPath);
});
