import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatTable } from "@koma/cli/terminal/table";
import { resolveUserPath } from "./config.ts";
import { measureAccuracy } from "./measure-accuracy.ts";
import { measureLatency } from "./measure-latency.ts";
import { measureSpeed } from "./measure-speed.ts";
import { runKoma } from "./run-koma.ts";
import { measureSearchCost } from "./search-cost/measure-search-cost.ts";
import { describeServer, describeSize, renderSearchCost } from "./search-cost/report-search-cost.ts";

/** Images of each group whose searches are measured in every size. */
const COST_IMAGES = 24;

const usage = `npm run bench -- --videos DIR [--images 60] [--seed 1] [--frames 10000,100000] [--out DIR]
                 [--runs 2] [--clients 8] [--seconds 10] [--skip-speed]

Indexes the videos in DIR in a data folder of its own, which is removed afterwards, and measures
  speed     wall and processor time of bare \`ffmpeg -i FILE -f null -\` and of indexing the same videos, and peak memory
  accuracy  frames at seeded random times, 480 px wide, JPEG quality 70: is the first match the right place?
  cost      processor time of each stage of a search in libraries of these numbers of frames, most of them
            generated; --out DIR writes a report with a plot
  latency   searches over HTTP by several clients at once, and how long the server's event loop stands still`;

const { values } = parseArgs({
  options: {
    videos: { type: "string" },
    images: { type: "string", default: "60" },
    frames: { type: "string", default: "10000,100000" },
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "2" },
    clients: { type: "string", default: "8" },
    seconds: { type: "string", default: "10" },
    "skip-speed": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help || values.videos === undefined) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  await bench(resolveUserPath(values.videos));
}

async function bench(videos: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "koma-bench-"));
  const dataDir = join(folder, "data");
  try {
    if (values["skip-speed"]) await runKoma(["index", videos], { dataDir });
    else await printSpeed(videos, dataDir);
    const images = await printAccuracy(videos, { dataDir, folder });
    await printSearchCost(images, dataDir);
    await printLatency(images, dataDir);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 });
  }
}

async function printSpeed(videos: string, dataDir: string): Promise<void> {
  const runs = await measureSpeed(videos, { dataDir, runs: Number(values.runs) });
  console.log("## Indexing speed\n");
  console.log(
    formatTable(
      [
        "mode",
        "videos s",
        "bare s",
        "index s",
        "wall",
        "bare CPU s",
        "index CPU s",
        "CPU",
        "MB",
        "ffmpeg MB",
      ],
      runs.map(({ mode, videoSeconds, bare, index, peakBytes }) => [
        mode,
        ...[videoSeconds, bare.wallSeconds, index.wallSeconds].map((seconds) => seconds.toFixed(1)),
        (bare.wallSeconds / index.wallSeconds).toFixed(2),
        ...[bare.cpuSeconds, index.cpuSeconds].map((seconds) => seconds.toFixed(1)),
        (index.cpuSeconds / bare.cpuSeconds).toFixed(2),
        ...[peakBytes.indexer, peakBytes.ffmpeg].map((bytes) => Math.round(bytes / 1e6)),
      ]),
    ),
  );
  console.log(
    "\nwall: bare / index, larger is better. CPU: index / bare of all processes, smaller is better.",
  );
}

async function printAccuracy(videos: string, o: { dataDir: string; folder: string }): Promise<string[]> {
  const { rows, misses, images } = await measureAccuracy(videos, {
    ...o,
    frames: Number(values.images),
    seed: Number(values.seed),
  });
  const total = rows.reduce(
    (sum, row) => ({ frames: sum.frames + row.frames, right: sum.right + row.right }),
    {
      frames: 0,
      right: 0,
    },
  );
  console.log(`\n## Accuracy at rank 1 (seed ${values.seed})\n`);
  console.log(
    formatTable(
      ["film", "frames", "right", "median similarity"],
      [
        ...rows.map((row) => [row.file, row.frames, row.right, row.medianSimilarity.toFixed(3)]),
        ["all", total.frames, total.right, ""],
      ],
    ),
  );
  for (const miss of misses) console.log(`missed: ${miss}`);
  return images;
}

async function printSearchCost(images: string[], dataDir: string): Promise<void> {
  const sizes = await measureSearchCost(images.slice(0, COST_IMAGES), {
    dataDir,
    frames: values.frames.split(",").map(Number),
    seed: values.seed,
    onSize: (size) => console.log(`\n${describeSize(size)}`),
  });
  if (values.out === undefined) return;
  const folder = resolveUserPath(values.out);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "search-cost.html"), renderSearchCost(sizes));
}

async function printLatency(images: string[], dataDir: string): Promise<void> {
  const clients = Number(values.clients);
  const result = await measureLatency(images, { dataDir, clients, seconds: Number(values.seconds) });
  console.log(`\n## Searches over HTTP, ${clients} concurrent clients\n`);
  console.log(
    formatTable(
      ["", "count", "p50 ms", "p95 ms", "p99 ms", "max ms"],
      [
        ["search", ...summarise(result.searchMs)],
        ["/healthz meanwhile", ...summarise(result.healthMs)],
        ["event loop delay", "", ...result.loopDelayMs.map((ms) => ms.toFixed(1))],
      ],
    ),
  );
  console.log(describeServer(result));
  if (result.failures > 0) console.log(`${result.failures} requests failed`);
}

function summarise(times: readonly number[]): (string | number)[] {
  const sorted = times.toSorted((a, b) => a - b);
  const quantiles = [0.5, 0.95, 0.99, 1].map(
    (share) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN,
  );
  return [sorted.length, ...quantiles.map((ms) => ms.toFixed(1))];
}
