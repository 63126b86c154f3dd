// Measures rankings and recent searches with many searches through the real store, alone and during writes.
// It creates a database on the server of KOMA_TEST_DATABASE_URL, whose role may create databases, and drops
// it at the end.
//   npm run bench:rankings -w @koma/database -- [--searches 10000000] [--anime 10000] [--runs 200] [--explain]
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connectDatabase } from "@koma/database";
import pg from "pg";
import { loadSearches } from "./load-searches.mjs";

const { values } = parseArgs({
  options: {
    searches: { type: "string", default: "10000000" },
    anime: { type: "string", default: "10000" },
    runs: { type: "string", default: "200" },
    explain: { type: "boolean", default: false },
  },
});
const [searches, anime, runs] = [values.searches, values.anime, values.runs].map(Number);
const adminUrl = process.env.KOMA_TEST_DATABASE_URL;
const isWhole = [searches, anime, runs].every((count) => Number.isInteger(count) && count > 0);
if (adminUrl === undefined || !isWhole || searches > 20_000_000) {
  console.error(
    "Set KOMA_TEST_DATABASE_URL; --searches (20000000 at most), --anime and --runs are whole numbers.",
  );
  process.exit(2);
}
const limitMs = { rankings: 50, recent: 20 };
const periods = ["daily", "weekly", "monthly", "yearly", "all"];
const name = `koma_bench_${randomBytes(6).toString("hex")}`;
const url = new URL(adminUrl);
url.pathname = `/${name}`;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
await runAsAdmin(`CREATE DATABASE ${name}`);
try {
  const gone = once(interrupted.signal, "abort").then(() => Promise.reject(new Error("Interrupted.")));
  await Promise.race([measureAll(), gone]);
} catch (error) {
  process.exitCode = 1;
  console.error(error.message);
} finally {
  await runAsAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
}
process.exit();

async function measureAll() {
  const database = await connectDatabase({ dataDir: ".", databaseUrl: url.href });
  const client = new pg.Client({ connectionString: url.href });
  client.on("error", () => undefined);
  await client.connect();
  const startedAt = performance.now();
  const onProgress = (what) =>
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${what}`);
  await loadSearches(client, { searches, anime, onProgress });

  const at = new Date();
  const first = await time(() => list(database, "daily", at));
  console.log(`\nThe first ranking of a day: ${first.toFixed(0)} ms. Then, without other load:`);
  await measure(database, at);
  const writer = fork(fileURLToPath(new URL("./write-searches.mjs", import.meta.url)), [
    url.href,
    String(anime),
  ]);
  await once(writer, "message");
  console.log("\nDuring searches and confirmations at full speed:");
  await measure(database, at);
  writer.disconnect();
  await once(writer, "exit");
  if (values.explain) await explain(database, client, at);
  await client.end();
  await database.close();
}

async function measure(database, at) {
  // This shows the load of the machine itself.
  await report("SELECT 1", Number.POSITIVE_INFINITY, () => database.ping());
  for (const period of periods) {
    await report(`rankings ${period}, 100`, limitMs.rankings, () => list(database, period, at));
  }
  for (const options of [
    { limit: 20, offset: 0 },
    { limit: 100, offset: 0 },
    { limit: 100, offset: 10_000 },
  ]) {
    const what = `recent searches, ${options.limit} from ${options.offset}`;
    await report(what, limitMs.recent, () => database.searches.listRecent(options));
  }
}

async function report(what, allowedMs, work) {
  const times = [];
  for (let run = 0; run < runs; run++) times.push(await time(work));
  times.sort((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => times[Math.floor(share * (runs - 1))]);
  if (p95 > allowedMs) process.exitCode = 1;
  const remark = p95 > allowedMs ? `  over ${allowedMs} ms` : "";
  console.log(
    `${what.padEnd(34)} p50 ${p50.toFixed(1).padStart(5)} ms  p95 ${p95.toFixed(1).padStart(5)} ms${remark}`,
  );
}

async function time(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function list(database, period, at) {
  return await database.rankings.list({ period, limit: 100, includeAdult: false, at });
}

/** Prints the plans of the statements that the store sends. */
async function explain(database, client, at) {
  const send = pg.Client.prototype.query;
  const sent = [];
  pg.Client.prototype.query = function (query, ...rest) {
    if (query?.text?.includes("LATERAL")) sent.push(query);
    return send.call(this, query, ...rest);
  };
  for (const period of periods) await list(database, period, at);
  await database.searches.listRecent({ limit: 100, offset: 10_000 });
  pg.Client.prototype.query = send;
  for (const { text, values: parameters } of sent) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, parameters);
    console.log(`\n${text.trim()}\n${rows.map((row) => row["QUERY PLAN"]).join("\n")}`);
  }
}

async function runAsAdmin(sql) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}
