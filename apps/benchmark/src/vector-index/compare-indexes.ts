// Compares the index in PostgreSQL with the embedded one in the same library:
//   DATABASE_URL=… [DATABASE_REPLICA_URLS=…] node compare-indexes.ts CACHE_FOLDER IMAGES_FOLDER
// Searches each image, edited in turn, in both; the order changes with each image.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { connectDatabase } from "@koma/database";
import { type Sharp, sharp } from "@koma/image";
import { type LibraryMatch, openLibrary } from "@koma/library";
import { findFfmpeg } from "@koma/media";

const [dataDir, folder] = process.argv.slice(2);
if (dataDir === undefined || folder === undefined)
  throw new Error("Name the folders of the cache and of the images.");
const { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URLS: replicas } = process.env;
const print = (line: string) => process.stdout.write(`${line}\n`);
const onLog = print;
const database = await connectDatabase({ dataDir, databaseUrl, replicaUrls: replicas?.split(","), onLog });
const tools = await findFfmpeg();
const kinds = ["embedded", "postgres"] as const;
type Kind = (typeof kinds)[number];
const opened = { embedded: await open("embedded"), postgres: await open("postgres") };

type Edit = (image: Sharp, size: { width: number; height: number }) => Sharp;
const edits: [string, Edit][] = [
  ["clean", (image) => image.jpeg({ quality: 80 })],
  ["small", (image) => image.resize({ width: 200 }).jpeg({ quality: 30 })],
  ["toned", (image) => image.linear(1.3, -30).modulate({ saturation: 1.6, hue: 25 }).jpeg()],
  ["mirrored", (image) => image.flop().blur(1.2).jpeg({ quality: 50 })],
  [
    "framed",
    (image) => image.extend({ top: 60, bottom: 90, left: 20, right: 20, background: "#202830" }).jpeg(),
  ],
  [
    "cropped",
    (image, { width, height }) =>
      image
        .extract({ left: width >> 3, top: height >> 3, width: (width * 5) >> 3, height: (height * 5) >> 3 })
        .jpeg(),
  ],
];
const names = (await readdir(folder)).sort();
const step = Math.max(1, Math.floor(names.length / 100));
const images: { name: string; bytes: Uint8Array }[] = [];
for (const [at, name] of names
  .filter((_, index) => index % step === 0)
  .slice(0, 100)
  .entries()) {
  const [edit, apply] = edits[at % edits.length] as (typeof edits)[number];
  const image = sharp(await readFile(path.join(folder, name)));
  const bytes = await apply(image, await image.metadata()).toBuffer();
  images.push({ name: `${name} ${edit}`, bytes });
}
// Opens connections and reads the pages of the index.
for (const { bytes } of images.slice(0, 10)) for (const kind of kinds) await findBest(kind, bytes);

const times: Record<Kind, number[]> = { embedded: [], postgres: [] };
const stages: Record<Kind, Map<string, number[]>> = { embedded: new Map(), postgres: new Map() };
let same = 0;
for (const [at, { name, bytes }] of images.entries()) {
  const best: Partial<Record<Kind, LibraryMatch>> = {};
  for (const kind of at % 2 === 0 ? kinds : kinds.toReversed()) {
    const startedMs = performance.now();
    const { match, timings } = await findBest(kind, bytes);
    times[kind].push(performance.now() - startedMs);
    for (const [stage, ms] of Object.entries(timings)) {
      const known = stages[kind].get(stage) ?? [];
      stages[kind].set(stage, known);
      known.push(ms);
    }
    if (match !== undefined) best[kind] = match;
  }
  const { embedded, postgres } = best;
  if (embedded?.fileName === postgres?.fileName && embedded?.from === postgres?.from) same++;
  else print(`${name}: embedded ${describe(embedded)}, postgres ${describe(postgres)}`);
}
print(`${same} of ${images.length} first results are the same`);
for (const kind of kinds) {
  print(`${kind}: ${percentiles(times[kind])}`);
  for (const [stage, values] of stages[kind]) print(`  ${stage}: ${percentiles(values)}`);
}
for (const { library } of Object.values(opened)) await library.close();
await database.close();

async function open(index: Kind) {
  const startedMs = performance.now();
  const library = await openLibrary({
    database,
    dataDir: dataDir as string,
    tools,
    index,
    engineWorkers: 1,
    onLog,
  });
  const search = await library.openSearch({ follow: false });
  const ms = Math.round(performance.now() - startedMs);
  const megabytes = Math.round(process.memoryUsage().rss / 1e6);
  print(`${index}: opened in ${ms} ms, ${search.frameCount()} frames, ${megabytes} MB resident`);
  return { library, search };
}

async function findBest(kind: Kind, bytes: Uint8Array) {
  const { matches, timings } = await opened[kind].search.search(bytes, { limit: 5 });
  return { match: matches[0], timings };
}

function describe(match: LibraryMatch | undefined): string {
  if (match === undefined) return "nothing";
  return `${match.fileName} at ${match.timestamp} s (${match.similarity.toFixed(3)})`;
}

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`;
}
