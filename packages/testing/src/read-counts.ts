import { readFileSync } from "node:fs";

/** What ran in one package. */
export type Counts = {
  package: string;
  passed: number;
  /** File and full name of each failed test, with the first line of its error. */
  failed: string[];
  /** File and full name of each skipped test. */
  skipped: string[];
  /** Test files that took two seconds or more, with their wall time in seconds. */
  slow: { file: string; seconds: number }[];
};

/** The file in a package's folder with the numbers of its last test run. */
export const countsFileName = ".test-counts.json";

/** The counts that runs of vitest wrote to a file; empty without a run. */
export function readCounts(file: string): Counts[] {
  try {
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Counts);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
