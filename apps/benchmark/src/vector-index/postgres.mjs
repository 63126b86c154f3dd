// Compares HNSW indexes of pgvector: node postgres.mjs DESCRIBED_FOLDER FRAMES DATABASE_URL
// The database is only used for these tables, which are dropped before and after. Exact search gives the truth.
import { readFileSync } from "node:fs";
import pg from "pg";
import { generateEpisodes, readDescribed, toUnit } from "./generate.mjs";

const DIMENSIONS = 128;
const COUNT = 100;
const QUERY_VIEWS = 200;
const [folder, framesText, connectionString] = process.argv.slice(2);
const frameCount = Number(framesText);
const print = (line) => process.stdout.write(`${line}\n`);
const axesBytes = readFileSync(new URL(import.meta.resolve("@koma/engine/models/koma-1/principal-axes.bin")));
const axes = new Float32Array(Uint8Array.from(axesBytes).buffer);

const described = readDescribed(folder);
const vectors = [];
/** Signs in the order of the model's outputs: those of principal axes of little energy are almost random. */
const signs = [];
const take = (codes) => {
  for (let at = 0; at < codes.length && vectors.length < frameCount; at += DIMENSIONS) {
    const vector = toUnit(codes.subarray(at, at + DIMENSIONS));
    vectors.push(rotate(vector));
    signs.push(writeSigns(vector));
  }
};
for (const { codes } of [...described.episodes, ...described.cropped]) take(codes);
const fromVideos = vectors.length;
for (const codes of generateEpisodes(described)) {
  if (vectors.length >= frameCount) break;
  take(codes);
}
const step = Math.max(1, Math.floor(described.queries.length / QUERY_VIEWS));
const views = described.queries.filter((_, at) => at % step === 0).map(({ vector }) => vector);
const queries = views.map(rotate);
print(`${vectors.length} descriptors, ${fromVideos} of videos, ${queries.length} query views`);
const truth = queries.map(findNearest);

const client = new pg.Client({ connectionString });
await client.connect();
await client.query("CREATE EXTENSION IF NOT EXISTS vector");
await client.query("SET max_parallel_maintenance_workers = 0; SET jit = off");

const front = "subvector(vector, 1, 64)::halfvec(64)";
const schemes = [
  { name: "halfvec(128), m 16", index: "vector halfvec_ip_ops", m: 16, order: "f.vector <#> q.vector" },
  {
    name: "halfvec(64) of principal axes, m 8",
    index: `(${front}) halfvec_ip_ops`,
    m: 8,
    order: "subvector(f.vector, 1, 64)::halfvec(64) <#> subvector(q.vector, 1, 64)::halfvec(64)",
  },
  {
    name: "halfvec(48) of principal axes, m 8",
    index: "(subvector(vector, 1, 48)::halfvec(48)) halfvec_ip_ops",
    m: 8,
    order: "subvector(f.vector, 1, 48)::halfvec(48) <#> subvector(q.vector, 1, 48)::halfvec(48)",
  },
  {
    name: "halfvec(48) of principal axes, m 6",
    index: "(subvector(vector, 1, 48)::halfvec(48)) halfvec_ip_ops",
    m: 6,
    order: "subvector(f.vector, 1, 48)::halfvec(48) <#> subvector(q.vector, 1, 48)::halfvec(48)",
  },
  {
    name: "bit(128), m 16",
    index: "signs bit_hamming_ops",
    m: 16,
    order: "f.signs <~> q.signs",
  },
];
for (const partitions of [4]) {
  await fill(partitions);
  for (const scheme of schemes) await measure(scheme, partitions);
}
await client.query("DROP TABLE bench_frame");
await client.end();

async function fill(partitions) {
  await client.query("DROP TABLE IF EXISTS bench_frame");
  await client.query(
    `CREATE TABLE bench_frame (episode int, number int, vector halfvec(${DIMENSIONS}) NOT NULL, signs bit(${DIMENSIONS}) NOT NULL,
     PRIMARY KEY (episode, number)) PARTITION BY HASH (episode)`,
  );
  for (let at = 0; at < partitions; at++)
    await client.query(
      `CREATE TABLE bench_frame_${at} PARTITION OF bench_frame FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${at})`,
    );
  for (let first = 0; first < vectors.length; first += 2000) {
    const some = vectors.slice(first, first + 2000);
    await client.query(
      `INSERT INTO bench_frame SELECT number / 2000, number % 2000, vector::halfvec, signs::bit(${DIMENSIONS})
       FROM unnest($1::int[], $2::text[], $3::text[]) AS row (number, vector, signs)`,
      [some.map((_, at) => first + at), some.map(write), signs.slice(first, first + 2000)],
    );
  }
  await client.query("VACUUM ANALYZE bench_frame");
}

async function measure({ name, index, m, order }, partitions) {
  const startedMs = performance.now();
  await client.query(
    `CREATE INDEX bench_index ON bench_frame USING hnsw (${index}) WITH (m = ${m}, ef_construction = 64)`,
  );
  const buildMs = performance.now() - startedMs;
  const size = await client.query(
    `SELECT sum(pg_relation_size(indexrelid))::float8 AS bytes FROM pg_index
     JOIN pg_class ON oid = indexrelid WHERE relname LIKE 'bench_frame_%' AND NOT indisunique`,
  );
  print(
    `${name}, ${partitions} partitions: ${(size.rows[0].bytes / vectors.length).toFixed(0)} bytes, built in ${(buildMs / 1000).toFixed(1)} s`,
  );
  for (const effort of [100, 200, 400]) {
    const found = [];
    let searchMs = 0;
    for (let from = 0; from < queries.length; from += 20) {
      const some = queries.slice(from, from + 20);
      const begunMs = performance.now();
      await client.query("BEGIN");
      await client.query(
        `SET LOCAL hnsw.ef_search = ${effort}; SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL enable_seqscan = off`,
      );
      const { rows } = await client.query(
        `SELECT q.at::int AS at, array_agg(n.id ORDER BY n.distance) AS ids
         FROM unnest($1::halfvec[], $2::bit(${DIMENSIONS})[]) WITH ORDINALITY AS q (vector, signs, at),
         LATERAL (SELECT c.id, c.vector <#> q.vector AS distance FROM (
           SELECT f.episode * 2000 + f.number AS id, f.vector FROM bench_frame f ORDER BY ${order} LIMIT ${effort}) c
           ORDER BY 2 LIMIT ${COUNT}) n
         GROUP BY q.at ORDER BY q.at`,
        [some.map(write), views.slice(from, from + 20).map(writeSigns)],
      );
      await client.query("COMMIT");
      searchMs += performance.now() - begunMs;
      for (const { ids } of rows) found.push(ids);
    }
    const shareFoundAt = (count) => {
      const hits = truth.map(
        (ids, at) => ids.slice(0, count).filter((id) => found[at].slice(0, count).includes(id)).length,
      );
      return (hits.reduce((sum, one) => sum + one, 0) / (count * truth.length)).toFixed(3);
    };
    print(
      `  shortlist ${effort}: recall@10 ${shareFoundAt(10)}, @100 ${shareFoundAt(100)}, ${(searchMs / queries.length).toFixed(2)} ms per view`,
    );
  }
  await client.query("DROP INDEX bench_index");
}

function rotate(vector) {
  const rotated = new Float32Array(DIMENSIONS);
  for (let row = 0; row < DIMENSIONS; row++) {
    let sum = 0;
    for (let at = 0; at < DIMENSIONS; at++) sum += axes[row * DIMENSIONS + at] * vector[at];
    rotated[row] = sum;
  }
  return rotated;
}

function writeSigns(vector) {
  return Array.from(vector, (value) => (value > 0 ? "1" : "0")).join("");
}

function write(vector) {
  return `[${Array.from(vector, (value) => value.toPrecision(4)).join()}]`;
}

function findNearest(query) {
  const cosines = vectors.map((vector) => {
    let sum = 0;
    for (let at = 0; at < DIMENSIONS; at++) sum += vector[at] * query[at];
    return sum;
  });
  return [...cosines.keys()].sort((a, b) => cosines[b] - cosines[a]).slice(0, COUNT);
}
