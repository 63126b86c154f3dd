import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Command } from "commander";
import { describeRun, type IndexResult, indexFile } from "../results/stored-result.ts";
import { formatIndexes } from "../results/tables.ts";
import { parseCount, progress, runCommand } from "../run-command.ts";
import type { IndexMeasurement } from "./measure-index.ts";

type IndexCommand = { frames: number[]; result: boolean };

const worker = fileURLToPath(new URL("./measure-index.ts", import.meta.url));
/** The implementations, and the frames up to which each is measured: the build of a larger graph takes hours. */
const implementations = { lists: Number.POSITIVE_INFINITY, hnsw: 1_000_000 };

await runCommand(async (signal) => await main(parseOptions(process.argv.slice(2)), signal));

async function main({ frames, result }: IndexCommand, signal: AbortSignal): Promise<number> {
  const facts = await describeRun(
    `npm run bench:index --${frames.map((count) => ` --frames ${count}`).join("")}`,
  );
  if (result && facts.commit.endsWith("-dirty")) throw new Error("Commit the changes before a stored run.");
  const planned = frames.flatMap((count) =>
    Object.entries(implementations).flatMap(([name, most]) => (count <= most ? [{ name, count }] : [])),
  );
  const indexes: IndexMeasurement[] = [];
  const bar = progress.open("Measuring");
  for (const { name, count } of planned) {
    indexes.push(await measure(name, count, signal));
    bar.update(indexes.length, planned.length);
  }
  bar.end();
  progress.close();
  console.log(formatIndexes(indexes));
  const stored: IndexResult = { ...facts, indexes };
  if (result) await writeFile(indexFile, `${JSON.stringify(stored, null, 2)}\n`);
  return 0;
}

async function measure(
  implementation: string,
  count: number,
  signal: AbortSignal,
): Promise<IndexMeasurement> {
  const folder = await mkdtemp(join(tmpdir(), "koma-index-"));
  try {
    const args = ["--expose-gc", worker, implementation, String(count), folder];
    const { stdout } = await promisify(execFile)(process.execPath, args, { signal });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parseOptions(args: readonly string[]): IndexCommand {
  return new Command("bench:index")
    .description(
      "Measures the indexes in the memory of a process. hnsw, up to a million frames, needs hnswlib-node, compiled.",
    )
    .option(
      "--frames <count>",
      "frames of an index; repeat it for several",
      (value, counts: number[]) => [...counts, parseCount(value)],
      [],
    )
    .option("--result", "store the figures in the repository, for `npm run results`", false)
    .exitOverride()
    .parse([...args], { from: "user" })
    .opts<IndexCommand>();
}
