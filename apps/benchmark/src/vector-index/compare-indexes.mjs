// Compares the index in PostgreSQL with the embedded one in the same library:
//   DATABASE_URL=… [DATABASE_REPLICA_URLS=…] node compare-indexes.mjs CACHE_FOLDER IMAGES_FOLDER
// Searches each image, edited in turn, in both; the order changes with each image.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { connectDatabase } from "@koma/database";
import { sharp } from "@koma/image";
import { openLibrary } from "@koma/library";
import { findFfmpeg } from "@koma/media";

const [dataDir, folder] = process.argv.slice(2);
const { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URLS: replicas } = process.env;
const print = (line) => process.stdout.write(`${line}\n`);
const onLog = print;
const database = await connectDatabase({ dataDir, databaseUrl, replicaUrls: replicas?.split(","), onLog });
const tools = await findFfmpeg();
const kinds = ["embedded", "postgres"];
const opened = {};
for (const index of kinds) {
  const startedMs = performance.now();
  const library = await openLibrary({ database, dataDir, tools, index, engineWorkers: 1, onLog });
  opened[index] = { library, search: await library.openSearch({ follow: false }) };
  print(
    `${index}: opened in ${Math.round(performance.now() - startedMs)} ms, ${opened[index].search.frameCount()} frames, ${Math.round(process.memoryUsage().rss / 1e6)} MB resident`,
  );
}

const edits = {
  clean: (image) => image.jpeg({ quality: 80 }),
  small: (image) => image.resize({ width: 200 }).jpeg({ quality: 30 }),
  toned: (image) => image.linear(1.3, -30).modulate({ saturation: 1.6, hue: 25 }).jpeg(),
  mirrored: (image) => image.flop().blur(1.2).jpeg({ quality: 50 }),
  framed: (image) => image.extend({ top: 60, bottom: 90, left: 20, right: 20, background: "#202830" }).jpeg(),
  cropped: (image, { width, height }) =>
    image
      .extract({ left: width >> 3, top: height >> 3, width: (width * 5) >> 3, height: (height * 5) >> 3 })
      .jpeg(),
};
const names = (await readdir(folder)).sort();
const step = Math.max(1, Math.floor(names.length / 100));
const images = [];
for (const [at, name] of names
  .filter((_, index) => index % step === 0)
  .slice(0, 100)
  .entries()) {
  const bytes = await readFile(path.join(folder, name));
  const edit = Object.keys(edits)[at % Object.keys(edits).length];
  images.push({
    name,
    edit,
    bytes: await edits[edit](sharp(bytes), await sharp(bytes).metadata()).toBuffer(),
  });
}
// Opens connections and reads the pages of the index.
for (const { bytes } of images.slice(0, 10))
  for (const index of kinds) await opened[index].search.search(bytes, { limit: 5 });

const times = { embedded: [], postgres: [] };
const stages = { embedded: {}, postgres: {} };
let same = 0;
for (const [at, { name, edit, bytes }] of images.entries()) {
  const best = {};
  for (const index of at % 2 === 0 ? kinds : kinds.toReversed()) {
    const startedMs = performance.now();
    const { matches, timings } = await opened[index].search.search(bytes, { limit: 5 });
    times[index].push(performance.now() - startedMs);
    for (const [stage, ms] of Object.entries(timings)) {
      stages[index][stage] = [...(stages[index][stage] ?? []), ms];
    }
    const [match] = matches;
    best[index] = match && {
      file: match.fileName,
      from: match.from,
      at: match.timestamp,
      similarity: match.similarity,
    };
  }
  const [one, other] = kinds.map((index) => best[index]);
  if (one?.file === other?.file && one?.from === other?.from) same++;
  else print(`${name} ${edit}: embedded ${JSON.stringify(one)}, postgres ${JSON.stringify(other)}`);
}
print(`${same} of ${images.length} first results are the same`);
for (const index of kinds) {
  print(`${index}: ${percentiles(times[index])}`);
  for (const [stage, values] of Object.entries(stages[index])) print(`  ${stage}: ${percentiles(values)}`);
}
for (const { library } of Object.values(opened)) await library.close();
await database.close();

function percentiles(values) {
  const sorted = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`;
}
