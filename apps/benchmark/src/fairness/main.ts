import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createProgress } from "@koma/cli/terminal/progress";
import { formatTable } from "@koma/cli/terminal/table";
import { openFuzzTarget } from "../fuzz/fuzz-target.ts";
import { type Attack, attacks } from "./attacks.ts";

const usage = `npm run fairness -- [--seconds 20] [--limit-ms 5000] [--only TEXT]

Measures how long the searches of other users take while one client network attacks each resource of an API with the sample library on
this machine. Every search of another user must be finished with status 200, and p95 must be below the limit.
  --seconds   the duration of each attack
  --limit-ms  the highest p95
  --only      the attacks whose names contain this text`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    "limit-ms": { type: "string", default: "5000" },
    only: { type: "string", default: "" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const seconds = Number(values.seconds);
const limitMs = Number(values["limit-ms"]);

if (values.help || !(seconds > 0) || !(limitMs > 0)) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = (await measureFairness()) ? 0 : 1;
}

type Row = { name: string; attack: Map<number, number>; times: number[]; failures: string[] };

async function measureFairness(): Promise<boolean> {
  const target = await openFuzzTarget();
  const progress = createProgress();
  const bar = progress.open("attacks");
  try {
    const rows: Row[] = [];
    const chosen = Object.entries(attacks).filter(([name]) => name.includes(values.only));
    const all: [string, Attack][] = [["none", () => Promise.resolve()], ...chosen];
    await searchAs(target, 0);
    for (const [name, attack] of all) {
      bar.update(rows.length, all.length, name);
      // Each attack has a network of its own, so that limits which an earlier attack reached do not weaken it.
      rows.push(await measure(target, name, attack, `198.51.100.${rows.length}`));
    }
    bar.end();
    progress.close();
    return report(rows);
  } finally {
    progress.close();
    await target.close();
  }
}

type Target = Awaited<ReturnType<typeof openFuzzTarget>>;

async function measure(target: Target, name: string, attack: Attack, network: string): Promise<Row> {
  const row: Row = { name, attack: new Map(), times: [], failures: [] };
  const stopping = new AbortController();
  const { url, image } = target;
  const count = (status: number) => row.attack.set(status, (row.attack.get(status) ?? 0) + 1);
  const attacking = attack({ url, image, network, signal: stopping.signal, count });
  const endMs = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < endMs; turn++) {
    const startedMs = performance.now();
    const status = await searchAs(target, turn);
    row.times.push(performance.now() - startedMs);
    if (status !== 200) row.failures.push(String(status));
    await wait(100);
  }
  stopping.abort();
  await attacking;
  // The next attack begins when the API has finished the work of this one.
  await searchAs(target, 9999);
  return row;
}

/** A search by a guest of another network each time. */
async function searchAs({ url, image }: Target, turn: number): Promise<number | string> {
  const form = new FormData();
  form.append("image", new Blob([Uint8Array.from(image)]), "image.jpg");
  const network = `203.0.${Math.floor(turn / 250) % 250}.${turn % 250}`;
  try {
    const headers = { "x-forwarded-for": network };
    const response = await fetch(`${url}/api/anime/search`, { method: "POST", body: form, headers });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return String(error);
  }
}

/** Prints the table and returns whether no other user was harmed. */
function report(rows: readonly Row[]): boolean {
  const base = percentile(rows[0]?.times ?? [], 0.95);
  console.log(
    formatTable(
      ["attack", "responses to it by status", "other searches", "not 200", "p50 ms", "p95 ms", "p95 / none"],
      rows.map(({ name, attack, times, failures }) => [
        name,
        [...attack]
          .sort(([a], [b]) => a - b)
          .map(([status, number]) => `${status || "closed"}: ${number}`)
          .join(", "),
        times.length,
        failures.length,
        Math.round(percentile(times, 0.5)),
        Math.round(percentile(times, 0.95)),
        (percentile(times, 0.95) / base).toFixed(1),
      ]),
    ),
  );
  const problems = rows.flatMap(({ name, times, failures }) => [
    ...(failures.length > 0 ? [`${name}: other users got ${[...new Set(failures)].join(", ")}.`] : []),
    ...(percentile(times, 0.95) > limitMs ? [`${name}: p95 is above ${limitMs} ms.`] : []),
  ]);
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
