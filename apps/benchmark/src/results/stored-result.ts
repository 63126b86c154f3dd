import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TimeShares } from "../times/times-report.ts";
import type { IndexMeasurement } from "../vector-index/measure-index.ts";

/** The conditions of a measurement. */
export type RunFacts = {
  commit: string;
  /** The version of Koma. */
  version: string;
  /** A hash of the sources and the model that the figures depend on. */
  sources: string;
  /** ISO 8601 */
  date: string;
  machine: string;
  /** Load averages of 1, 5 and 15 minutes before the run. */
  load: number[];
  command: string;
};

/** `results/times.json` */
export type TimesResult = RunFacts & { shares: TimeShares[] };

/** `results/index.json` */
export type IndexResult = RunFacts & { indexes: IndexMeasurement[] };

/** All stored results, by the command that measures them. */
export type StoredResults = { times: TimesResult; index: IndexResult };

export const repository = new URL("../../../../", import.meta.url);
export const timesFile = new URL("apps/benchmark/results/times.json", repository);
export const indexFile = new URL("apps/benchmark/results/index.json", repository);

/** What decides the answer to an image: the engine with its models, and how videos are read. */
const measuredFolders = ["packages/engine/src", "packages/engine/models", "packages/media/src"];

/** Reads the stored results. Throws where one is missing or no JSON. */
export async function readResults(): Promise<StoredResults> {
  return {
    times: JSON.parse(await readFile(timesFile, "utf8")),
    index: JSON.parse(await readFile(indexFile, "utf8")),
  };
}

/** Describes this machine and the present commit, whose name ends with `-dirty` if files have changed. */
export async function describeRun(command: string): Promise<RunFacts> {
  const [processor] = cpus();
  const cwd = fileURLToPath(repository);
  const { stdout: commit } = await promisify(execFile)("git", ["describe", "--always", "--dirty"], { cwd });
  return {
    commit: commit.trim(),
    version: await readVersion(),
    sources: await hashSources(),
    date: new Date().toISOString(),
    machine: `${cpus().length} x ${processor?.model ?? "unknown"}`,
    load: loadavg().map((value) => Math.round(value * 100) / 100),
    command,
  };
}

/** Returns a hash of the files that the figures depend on; documents beside them do not matter. */
export async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of measuredFolders) {
    const entries = await readdir(new URL(folder, repository), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".md"))
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(await readFile(file));
  }
  return hash.digest("hex").slice(0, 16);
}

export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("package.json", repository), "utf8")) as {
    version: string;
  };
  return version;
}
