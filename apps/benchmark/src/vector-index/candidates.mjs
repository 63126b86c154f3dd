// Measures other libraries on the same descriptors and queries:
//   node candidates.mjs DESCRIBED_FOLDER FRAMES MODULES_FOLDER hnswlib|usearch|zvec|lancedb
// MODULES_FOLDER contains node_modules with hnswlib-node, usearch, @zvec/zvec or @lancedb/lancedb.
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFrameLists } from "@koma/engine/internals/vector-index/frame-lists";
import { EPISODE_FRAMES, generateEpisodes, readDescribed, toUnit } from "./generate.mjs";

const [folder, framesText, modules, name] = process.argv.slice(2);
const count = Number(framesText);
const load = createRequire(path.join(path.resolve(modules), "index.js"));
const described = readDescribed(folder);
const temporary = mkdtempSync(path.join(tmpdir(), "koma-candidates-"));
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const codes = new Int8Array(count * 128);
const lists = createFrameLists(128);
let filled = 0;
const add = async (part) => {
  const some = part.subarray(0, Math.min(part.length, (count - filled) * 128));
  codes.set(some, filled * 128);
  filled += some.length / 128;
  lists.show(await lists.add(some));
};
for (const episode of described.episodes) await add(episode.codes);
const generated = generateEpisodes(described);
while (filled < count) await add(generated.next().value);
const { value: another } = generated.next();
const unitOf = (from, at) => toUnit(from.subarray(at * 128, (at + 1) * 128));

const rows = described.queries.filter(({ isThorough, image }) => !isThorough || image % 24 === 0);
const views = rows.map(({ vector }) => vector);
const exact = lists.search(views, { count: 100, effort: { leaves: lists.stats().leaves, frames: 2 ** 31 } });

const residentBefore = process.memoryUsage().rss;
const candidates = { hnswlib, usearch, zvec, lancedb };
await candidates[name]();
rmSync(temporary, { recursive: true });

function report(effort, found, seconds, wall) {
  let [hits10, hits100] = [0, 0];
  for (const [at, labels] of found.entries()) {
    const [ten, hundred] = [new Set(labels.slice(0, 10)), new Set(labels)];
    hits10 += exact[at].slice(0, 10).filter(({ label }) => ten.has(label)).length;
    hits100 += exact[at].filter(({ label }) => hundred.has(label)).length;
  }
  const n = views.length;
  print(
    `${name} ${effort}: recall@10 ${(hits10 / n / 10).toFixed(4)} @100 ${(hits100 / n / 100).toFixed(4)}, ` +
      `${((seconds * 1000) / n).toFixed(3)} ms CPU per view, ${Math.round(n / wall)} views/s`,
  );
}

async function measure(effort, search) {
  const from = cpu();
  const start = performance.now();
  const found = [];
  for (const vector of views) found.push(await search(vector));
  report(effort, found, cpu() - from, (performance.now() - start) / 1000);
}

async function timed(label, work) {
  const from = cpu();
  const start = performance.now();
  const result = await work();
  print(
    `${name} ${label}: ${(cpu() - from).toFixed(2)} s CPU, ${((performance.now() - start) / 1000).toFixed(2)} s`,
  );
  return result;
}

function memory() {
  print(
    `${name} memory: ${((process.memoryUsage().rss - residentBefore) / count).toFixed(0)} bytes per frame (growth of the resident set)`,
  );
}

function disk(file) {
  const bytes = (at) =>
    statSync(at).isDirectory()
      ? readdirSync(at).reduce((sum, one) => sum + bytes(path.join(at, one)), 0)
      : statSync(at).size;
  print(`${name} disk: ${(bytes(file) / count).toFixed(0)} bytes per frame`);
}

async function hnswlib() {
  const { HierarchicalNSW } = load("hnswlib-node");
  const graph = new HierarchicalNSW("ip", 128);
  graph.initIndex({ maxElements: count + EPISODE_FRAMES, m: 16, efConstruction: 128 });
  await timed("build", () => {
    for (let at = 0; at < count; at++) graph.addPoint(Array.from(unitOf(codes, at)), at);
  });
  memory();
  const file = path.join(temporary, "graph");
  await timed("save", () => graph.writeIndex(file));
  disk(file);
  await timed("open", async () => {
    const opened = new HierarchicalNSW("ip", 128);
    await opened.readIndex(file);
  });
  for (const ef of [128, 256, 512]) {
    graph.setEf(ef);
    await measure(`ef ${ef}`, (vector) => graph.searchKnn(Array.from(vector), 100).neighbors);
  }
  await timed("add an episode", () => {
    for (let at = 0; at < EPISODE_FRAMES; at++) graph.addPoint(Array.from(unitOf(another, at)), count + at);
  });
  await timed("remove it", () => {
    for (let at = 0; at < EPISODE_FRAMES; at++) graph.markDelete(count + at);
  });
}

async function usearch() {
  const { Index, MetricKind, ScalarKind } = load("usearch");
  const options = {
    metric: MetricKind.IP,
    connectivity: 16,
    dimensions: 128,
    quantization: ScalarKind.I8,
    expansion_add: 128,
    expansion_search: 128,
  };
  const index = new Index(options);
  const block = (from, first, n, firstKey) => {
    const vectors = new Float32Array(n * 128);
    const keys = new BigUint64Array(n);
    for (let at = 0; at < n; at++) {
      vectors.set(unitOf(from, first + at), at * 128);
      keys[at] = BigInt(firstKey + at);
    }
    return [keys, vectors];
  };
  await timed("build", () => {
    for (let at = 0; at < count; at += 10_000)
      index.add(...block(codes, at, Math.min(10_000, count - at), at), 2);
  });
  memory();
  const file = path.join(temporary, "index");
  await timed("save", () => index.save(file));
  disk(file);
  await timed("open as a view", () => new Index(options).view(file));
  await timed("open", () => new Index(options).load(file));
  await measure("expansion 128", (vector) => Array.from(index.search(vector, 100, 1).keys, Number));
  const wide = new Index({ ...options, expansion_search: 512 });
  wide.load(file);
  await measure("expansion 512 (options of load)", (vector) =>
    Array.from(wide.search(vector, 100, 1).keys, Number),
  );
  await timed("add an episode", () => index.add(...block(another, 0, EPISODE_FRAMES, count), 1));
  await timed("remove it", () => {
    for (let at = 0; at < EPISODE_FRAMES; at++) index.remove(BigInt(count + at));
  });
}

async function zvec() {
  const z = load("@zvec/zvec");
  const schema = new z.ZVecCollectionSchema({
    name: "frames",
    vectors: {
      name: "v",
      dataType: z.ZVecDataType.VECTOR_FP32,
      dimension: 128,
      indexParams: {
        indexType: z.ZVecIndexType.HNSW,
        metricType: z.ZVecMetricType.IP,
        m: 16,
        efConstruction: 128,
        quantizeType: z.ZVecQuantizeType.INT8,
      },
    },
  });
  const file = path.join(temporary, "zvec");
  const collection = z.ZVecCreateAndOpen(file, schema);
  const insert = (from, n, firstId) => {
    for (let at = 0; at < n; at += 1000) {
      collection.insertSync(
        Array.from({ length: Math.min(1000, n - at) }, (_, i) => ({
          id: String(firstId + at + i),
          vectors: { v: Array.from(unitOf(from, at + i)) },
        })),
      );
    }
  };
  await timed("insert", () => insert(codes, count, 0));
  await timed("optimize", () => collection.optimizeSync());
  memory();
  disk(file);
  const query = (ef) => (vector) =>
    collection
      .querySync({
        fieldName: "v",
        vector: Array.from(vector),
        topk: 100,
        params: { indexType: z.ZVecIndexType.HNSW, ef },
      })
      .map(({ id }) => Number(id));
  for (const ef of [128, 512]) await measure(`ef ${ef}`, query(ef));
  await timed("add an episode", () => insert(another, EPISODE_FRAMES, count));
  await timed("remove it", () =>
    collection.deleteSync(Array.from({ length: EPISODE_FRAMES }, (_, at) => String(count + at))),
  );
  cpSync(file, `${file}.copy`, { recursive: true });
  await timed("open", () => z.ZVecOpen(`${file}.copy`));
}

async function lancedb() {
  const lance = load("@lancedb/lancedb");
  const { Field, FixedSizeList, Float32, Int32, Schema } = load("apache-arrow");
  const schema = new Schema([
    new Field("id", new Int32()),
    new Field("v", new FixedSizeList(128, new Field("item", new Float32()))),
  ]);
  const file = path.join(temporary, "lance");
  const db = await lance.connect(file);
  const table = await db.createEmptyTable("frames", schema);
  const insert = async (from, n, firstId) => {
    for (let at = 0; at < n; at += 20_000) {
      await table.add(
        Array.from({ length: Math.min(20_000, n - at) }, (_, i) => ({
          id: firstId + at + i,
          v: Array.from(unitOf(from, at + i)),
        })),
      );
    }
  };
  await timed("insert", () => insert(codes, count, 0));
  await timed("IVF-PQ index", async () => {
    await table.createIndex("v", { config: lance.Index.ivfPq({ distanceType: "dot", numSubVectors: 32 }) });
    await table.waitForIndex(["v_idx"], 600);
  });
  memory();
  disk(file);
  const search = (nprobes, refine) => async (vector) => {
    const found = await table
      .vectorSearch(Array.from(vector))
      .distanceType("dot")
      .nprobes(nprobes)
      .refineFactor(refine)
      .select(["id", "_distance"])
      .limit(100)
      .toArray();
    return found.map(({ id }) => id);
  };
  for (const [probes, refine] of [
    [20, 5],
    [100, 10],
  ])
    await measure(`nprobes ${probes}, refine ${refine}`, search(probes, refine));
  await timed("add an episode", () => insert(another, EPISODE_FRAMES, count));
  await timed("remove it", () => table.delete(`id >= ${count}`));
  await timed("open", async () => (await (await lance.connect(file)).openTable("frames")).countRows());
}

function print(...values) {
  process.stdout.write(`${values.join(" ")}\n`);
}
