import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, globSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve, sep } from "node:path";
import { describeSummary } from "./describe-summary.ts";
import { installChromium } from "./install-chromium.ts";
import { type Counts, countsFileName, readCounts } from "./read-counts.ts";
import { describeMissing, listMissing, listToolVersions, mayBeAbsent } from "./requirements.ts";

type Layer = "fast" | "slow";

// More packages at a time would compete for the cores with tests that measure time.
const concurrency = Math.min(4, Math.max(2, Math.floor(availableParallelism() / 2)));
const runOptions = ["--continue", "--output-logs=new-only"];
const checks = [
  "types",
  "lint",
  "terminology",
  "unused",
  "unused-texts",
  "drift",
  "configuration",
  "figures",
];

/**
 * Runs the repository's checks and fast tests with turbo, with `--all` then its slow ones, with `--slow` only
 * those, and prints a summary.
 * Results of earlier runs are reused while the inputs, the versions of Node, ffmpeg and Chromium and the
 * KOMA_TEST_* variables are the same.
 */
async function runTests([first, ...others]: readonly string[]): Promise<number> {
  const isFast = first !== "--slow";
  const isSlow = first === "--all" || first === "--slow";
  const args = isSlow || first === undefined ? others : [first, ...others];
  // The fast tests need Node and npm only.
  const missing = isSlow ? listMissing() : [];
  const errors = missing.filter((requirement) => !mayBeAbsent(requirement));
  if (errors.length > 0) {
    process.stderr.write(`${errors.map(describeMissing).join("\n")}\n`);
    return 1;
  }
  if (missing.some(({ name }) => name === "Chromium"))
    process.env.KOMA_TEST_NPM_CHROMIUM = (await installChromium()) ?? "";
  const slowFiles = listTestFiles("slow");
  const areChecksGood = !isFast || (await runChecks(args));
  const runs = [
    ...(isFast ? [await runLayer("fast", args)] : []),
    ...(isSlow ? [await runLayer("slow", args)] : []),
  ];
  const counts = runs.flatMap((run) => run.counts);
  // CI adds the numbers of this run to those of its other runs.
  const file = process.env.KOMA_COUNTS_FILE;
  if (file) appendFileSync(file, counts.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const run = { counts, missing, isGood: areChecksGood && runs.every(({ isGood }) => isGood) };
  process.stdout.write(`\n${describeSummary({ ...run, filesLeft: isSlow ? 0 : slowFiles.length })}\n`);
  return run.isGood && counts.some(({ passed }) => passed > 0) ? 0 : 1;
}

async function runChecks(args: readonly string[]): Promise<boolean> {
  const names = checks.map((name) => `//#${name}`);
  const force = args.filter((arg) => arg === "--force");
  if (!(await turbo("fast", ["boundaries"]))) return false;
  return await turbo("fast", ["run", ...runOptions, `--concurrency=${concurrency}`, ...names, ...force]);
}

/** Runs a layer in all packages, several at a time, unless the arguments choose one. */
async function runLayer(
  layer: Layer,
  args: readonly string[],
): Promise<{ counts: Counts[]; isGood: boolean }> {
  const listCounts = () => globSync(`{apps,packages}/*/${countsFileName}`);
  for (const file of listCounts()) rmSync(file);
  // A package may have tests of one kind only.
  const vitestOptions = [...(args.includes("--") ? [] : ["--"]), "--passWithNoTests"];
  const run = (...options: string[]) =>
    turbo(layer, ["run", ...runOptions, ...options, "test", ...args, ...vitestOptions]);
  if (args.some((arg) => arg.startsWith("--filter"))) {
    const isGood = await run(`--concurrency=${concurrency}`);
    return { counts: listCounts().flatMap(readCounts), isGood };
  }
  // With --only turbo builds nothing for a package: what the tests need is built before them.
  const built = layer === "fast" ? ["--filter=@koma/database", "--filter=@koma/web"] : [];
  if (!(await turbo(layer, ["run", ...runOptions, "build", ...built]))) return { counts: [], isGood: false };
  const left = largestFirst(listTestFiles(layer));
  const results: boolean[] = [];
  const runNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      results.push(await run("--only", `--filter=./${next}`));
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
  return { counts: listCounts().flatMap(readCounts), isGood: results.every(Boolean) };
}

/** The packages of these files, those with most files first, so that none of them is the only one at the end. */
function largestFirst(files: readonly string[]): string[] {
  const byPackage = Object.groupBy(files, (file) => file.split(sep).slice(0, 2).join("/"));
  return Object.entries(byPackage)
    .toSorted(([, a = []], [, b = []]) => b.length - a.length)
    .map(([name]) => name);
}

function listTestFiles(layer: Layer): string[] {
  const files = globSync(join("{apps,packages}", "*", "test", "**", "*.test.ts"));
  return files.filter(
    (file) => /\.(slow|root)\.test\.ts$/.exec(file)?.[1] === (layer === "slow" ? "slow" : undefined),
  );
}

async function turbo(layer: Layer, args: readonly string[]): Promise<boolean> {
  // The variables are part of the cache key; CI's file is not, because each package would otherwise write to
  // both.
  const env = {
    ...process.env,
    KOMA_TEST_LAYER: layer,
    KOMA_TEST_TOOLS: listToolVersions().join(", "),
    KOMA_COUNTS_FILE: "",
    // An API that a test starts needs 5 s of CPU instead of 7 when Node finds its compiled sources here.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? resolve("node_modules/.cache/node-compile"),
  };
  const child = spawn(process.execPath, ["node_modules/turbo/bin/turbo", ...args], { stdio: "inherit", env });
  const [status] = await once(child, "exit");
  return status === 0;
}

process.exitCode = await runTests(process.argv.slice(2));
