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

it("lists single skipped tests", () => {
  const counts = [{ package: "web", passed: 2, failed: [], skipped: ["a.test.ts: one"], slow: [] }];
  expect(describeSummary({ counts, missing: [], isGood: true })).toBe(
    "  web: 1 skipped\n    a.test.ts: one\nPassed: 2 tests ran in 1 package runs and passed, 0 failed, 1 skipped.",
  );
});
