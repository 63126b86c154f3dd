import { findChromium, findTestDatabase, isEmbeddedTested } from "@koma/testing";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

it("outside of CI says that something is missing by undefined", () => {
  vi.stubEnv("CI", "");
  vi.stubEnv("KOMA_TEST_DATABASE_URL", "");
  vi.stubEnv("KOMA_TEST_CHROMIUM", "/nonexistent");
  expect([findTestDatabase(), findChromium()]).toEqual([undefined, undefined]);
});

it("in CI throws and says what to install, unless the run leaves it out on purpose", () => {
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
