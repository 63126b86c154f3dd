import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createProgress } from "@koma/cli/terminal/progress";
import { formatTable } from "@koma/cli/terminal/table";
import { watchInterruption } from "@koma/process";
import type { ResponseDocument } from "@koma/testing";
import { type FuzzKind, fuzzKinds, openFuzzRequests } from "@koma/testing/fuzzing";
import { resolveUserPath } from "../bench/config.ts";
import { ffmpegTools, runTool } from "../bench/videos.ts";
import { fuzzKind, type KindResult } from "./fuzz-kind.ts";
import { type FuzzTarget, openFuzzTarget, type TargetState } from "./fuzz-target.ts";

/** The requests of a full run. */
const fullCounts: Record<FuzzKind, number> = {
  image: 100_000,
  multipart: 20_000,
  url: 10_000,
  header: 20_000,
  json: 10_000,
  "file-name": 10_000,
  video: 1000,
};
const clients = 8;
const loopDelayLimitMs = 50;
/** Above this delay of an idle thread, other programs keep the machine too busy to measure. */
const idleDelayLimitMs = 25;
/** Growth of the resident memory that caches and fragmentation explain. */
const growthLimitBytes = 200 * 1024 ** 2;

const usage = `npm run fuzz -- [--seconds N] [--seed 1] [--only KIND] [--count N] [--first 0] [--out DIR]

Sends hostile requests to an API with the sample library on this machine. Every response must be documented, and the API must neither
end nor delay its event loop by 50 ms (p99), nor keep memory.
  --seconds  the duration of the run, shared equally among the kinds; default: until all requests are sent
  --seed     the seed; a request depends on seed, kind and number alone
  --only     one kind: ${fuzzKinds.join(", ")}
  --count    requests of each kind; default: ${fuzzKinds.map((kind) => `${fullCounts[kind]} (${kind})`).join(", ")}
  --first    the number of the first request
  --out      the folder for requests that violate the contract; default: a new temporary folder`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    count: { type: "string" },
    first: { type: "string", default: "0" },
    out: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const kinds = fuzzKinds.filter((kind) => values.only === undefined || values.only === kind);
const [seed, first, count, seconds] = [values.seed, values.first, values.count, values.seconds].map((text) =>
  text === undefined ? undefined : Number(text),
);
const isValid = [seed, first, count, seconds].every(
  (value) => value === undefined || Number.isInteger(value),
);

if (values.help || kinds.length === 0 || !isValid) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const interruption = watchInterruption();
  try {
    const isClean = await fuzz(interruption.signal);
    process.exitCode = isClean ? 0 : 1;
  } finally {
    interruption.stop();
  }
}

async function fuzz(signal: AbortSignal): Promise<boolean> {
  const progress = createProgress();
  const target = await openFuzzTarget();
  try {
    const { url, credentials } = target;
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as ResponseDocument;
    const generator = await openFuzzRequests({ seed: seed ?? 1, videos: await encodeVideos(), credentials });
    const common = { url, document, generator, clients, signal, hasEnded: target.hasEnded };
    for (const kind of kinds) {
      const warmUp = { kind, seed: -1, first: 1e9, count: kind === "video" ? 4 : 50, onProgress: () => {} };
      await fuzzKind({ ...common, ...warmUp, endMs: Number.POSITIVE_INFINITY });
    }
    const before = await target.readState();
    const results: (KindResult & TargetState)[] = [];
    for (const [position, kind] of kinds.entries()) {
      const total = count ?? fullCounts[kind];
      const bar = progress.open(kind);
      const share =
        seconds === undefined ? Number.POSITIVE_INFINITY : secondsLeft(results) / (kinds.length - position);
      const result = await fuzzKind({
        ...common,
        kind,
        seed: seed ?? 1,
        first: first ?? 0,
        count: total,
        endMs: performance.now() + share * 1000,
        onProgress: (done) => bar.update(done, total, `${done} of ${total}`),
      });
      bar.end();
      const state = target.hasEnded() ? before : await target.readState();
      results.push({ ...result, ...state });
    }
    progress.close();
    return await report(target, results, before);
  } finally {
    progress.close();
    await target.close();
  }
}

function secondsLeft(results: readonly KindResult[]): number {
  return (seconds ?? 0) - results.reduce((sum, result) => sum + result.seconds, 0);
}

/** Prints the table and what is wrong, saves the requests, and returns whether nothing is wrong. */
async function report(
  target: FuzzTarget,
  results: readonly (KindResult & TargetState)[],
  before: TargetState,
): Promise<boolean> {
  console.log(
    formatTable(
      [
        "kind",
        "requests",
        "per second",
        "responses by status",
        "slowest ms",
        "loop p99 ms",
        "idle p99 ms",
        "violations",
      ],
      results.map((result) => [
        result.kind,
        result.requests,
        (result.requests / result.seconds).toFixed(1),
        [...result.statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, times]) => `${status}: ${times}`)
          .join(", "),
        Math.round(result.slowestMs),
        result.loopDelayMs.toFixed(1),
        result.idleDelayMs.toFixed(1),
        result.violations.length,
      ]),
    ),
  );
  const problems = target.errors().map((line) => `The API logged an error: ${line}`);
  if (target.hasEnded()) problems.push("The API has ended.");
  else problems.push(...(await describeState(target, before)));
  for (const { kind, loopDelayMs, idleDelayMs } of results) {
    if (loopDelayMs < loopDelayLimitMs) continue;
    const delay = `${kind}: the event loop was delayed by ${loopDelayMs.toFixed(1)} ms (p99)`;
    if (idleDelayMs < idleDelayLimitMs) problems.push(`${delay}.`);
    else console.log(`${delay}, but other programs delayed an idle thread by ${idleDelayMs.toFixed(1)} ms.`);
  }
  problems.push(...(await saveViolations(results)));
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

/** Waits up to a minute for the memory to return to its baseline. */
async function describeState(target: FuzzTarget, before: TargetState): Promise<string[]> {
  let state = await target.readState();
  const hasGrown = () => state.residentBytes > before.residentBytes + growthLimitBytes;
  for (let waited = 0; hasGrown() && waited < 60; waited++) {
    await wait(1000);
    state = await target.readState();
  }
  const [start, end] = [before, state].map(({ residentBytes }) => Math.round(residentBytes / 1024 ** 2));
  console.log(`\nMemory of the API: ${start} MiB before, ${end} MiB after; ${state.workers} search workers`);
  return [
    ...(hasGrown() ? [`The memory of the API has grown from ${start} to ${end} MiB.`] : []),
    ...(state.workers === before.workers
      ? []
      : [`${before.workers - state.workers} search workers have ended.`]),
  ];
}

async function saveViolations(results: readonly KindResult[]): Promise<string[]> {
  const violations = results.flatMap((result) => result.violations);
  if (violations.length === 0) return [];
  const folder =
    values.out === undefined ? await mkdtemp(join(tmpdir(), "koma-fuzz-")) : resolveUserPath(values.out);
  await mkdir(folder, { recursive: true });
  for (const { kind, index, request } of violations) {
    await writeFile(join(folder, `${kind}-seed-${seed}-number-${index}.http`), request);
  }
  return [
    ...violations.slice(0, 50).map(({ kind, index, reasons }) => {
      const repeat = `npm run fuzz -- --seed ${seed} --only ${kind} --first ${index} --count 1`;
      return `${reasons.join("; ")}\n  ${repeat}`;
    }),
    `${violations.length} requests violate the contract; they are in ${folder}.`,
  ];
}

/** A video of one second as MP4 and as WebM, from a source that every ffmpeg has. */
async function encodeVideos(): Promise<Buffer[]> {
  const { ffmpegPath } = await ffmpegTools();
  const folder = await mkdtemp(join(tmpdir(), "koma-fuzz-videos-"));
  try {
    const formats = [
      ["short.mp4", "libx264"],
      ["short.webm", "libvpx"],
    ] as const;
    return await Promise.all(
      formats.map(async ([name, codec]) => {
        const input = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=8", "-t", "1"];
        await runTool(ffmpegPath, [...input, "-c:v", codec, "-pix_fmt", "yuv420p", join(folder, name)]);
        return await readFile(join(folder, name));
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
