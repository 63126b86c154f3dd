import { expect, it } from "vitest";
import { describeSummary } from "../src/describe-summary.ts";

const missing = [
  { name: "ffmpeg" as const, tests: "some tests", remedy: "install ffmpeg (apt install ffmpeg)" },
];

it("lists the skipped tests, the reason and what to install", () => {
  const skipped = Array.from({ length: 30 }, (_, index) => `a.test.ts: case ${index}`);
  const counts = [
    { package: "database", passed: 7, failed: [], skipped, slow: [] },
    { package: "web", passed: 2, failed: ["b.test.ts: two (expected 1)"], skipped: [], slow: [] },
  ];
  expect(describeSummary({ counts, missing, isGood: false }).split("\n")).toEqual([
    "  database: 30 skipped",
    "  ffmpeg is missing: some tests cannot run. To run them, install ffmpeg (apt install ffmpeg).",
    "  failed in web: b.test.ts: two (expected 1)",
    "FAILED: 9 tests ran in 2 package runs and passed, 1 failed, 30 skipped.",
  ]);
});

it("says that what failed is no test", () => {
  const counts = [{ package: "web", passed: 2, failed: [], skipped: [], slow: [] }];
  expect(describeSummary({ counts, missing: [], isGood: false }).split("\n")).toEqual([
    "  failed: no test, but a check or a build; a line above names it",
    "FAILED: 2 tests ran in 1 package runs and passed, 0 failed, 0 skipped.",
  ]);
});

it("lists single skipped tests", () => {
  const counts = [{ package: "web", passed: 2, failed: [], skipped: ["a.test.ts: one"], slow: [] }];
  expect(describeSummary({ counts, missing: [], isGood: true })).toBe(
    "  web: 1 skipped\n    a.test.ts: one\nPassed: 2 tests ran in 1 package runs and passed, 0 failed, 1 skipped.",
  );
});

it("lists the ten slowest files of all runs, and names the command for the files that did not run", () => {
  const slow = Array.from({ length: 12 }, (_, index) => ({ file: `${index}.test.ts`, seconds: index }));
  const counts = [
    { package: "web", passed: 1, failed: [], skipped: [], slow: slow.slice(0, 6) },
    { package: "api", passed: 1, failed: [], skipped: [], slow: slow.slice(6) },
  ];
  const lines = describeSummary({ counts, missing: [], isGood: true, filesLeft: 7 }).split("\n");
  expect(lines.length).toBe(12);
  expect(lines[0]).toBe("  11 s in api: 11.test.ts");
  expect(lines[9]).toBe("  2 s in web: 2.test.ts");
  expect(lines.at(-1)).toContain("7 files with slow tests did not run");
  expect(lines.at(-1)).toContain("npm run test:all");
});
