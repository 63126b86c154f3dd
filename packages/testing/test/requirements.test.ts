import { findChromium, findTestDatabase, isEmbeddedTested } from "@koma/testing";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

it("returns undefined for a missing program outside of CI", () => {
  vi.stubEnv("CI", "");
  vi.stubEnv("KOMA_TEST_DATABASE_URL", "");
  vi.stubEnv("KOMA_TEST_CHROMIUM", "/nonexistent");
  expect([findTestDatabase(), findChromium()]).toEqual([undefined, undefined]);
});

it("throws in CI and names what to install, unless the run excludes it explicitly", () => {
  vi.stubEnv("CI", "true");
  vi.stubEnv("KOMA_TEST_DATABASE_URL", "");
  vi.stubEnv("KOMA_TEST_CHROMIUM", "/nonexistent");
  expect(() => findTestDatabase()).toThrow(/PostgreSQL is missing: .* KOMA_TEST_DATABASE_URL/);
  expect(() => findChromium()).toThrow(/Chromium is missing: .*apt install chromium/);
  vi.stubEnv("KOMA_TEST_WITHOUT", "chromium");
  expect(findChromium()).toBeUndefined();
  vi.stubEnv("KOMA_TEST_DATABASE_URL", "postgresql://koma@localhost/postgres");
  expect(findTestDatabase()).toBe("postgresql://koma@localhost/postgres");
});

it("tests the embedded database unless the run leaves it out", () => {
  vi.stubEnv("KOMA_TEST_WITHOUT", "ffmpeg");
  expect(isEmbeddedTested()).toBe(true);
  vi.stubEnv("KOMA_TEST_WITHOUT", "ffmpeg,embedded");
  expect(isEmbeddedTested()).toBe(false);
});
