// Searches from two threads while a third one adds, refines and removes; counts searches that missed a frame
// or returned one twice:
//   node stress.mjs SECONDS
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const base = "@koma/engine/internals/vector-index/";
const { createFrameLists } = await import(`${base}frame-lists`);
const { createFrameSearcher } = await import(`${base}frame-searcher`);
const everything = { leaves: 65536, frames: 2 ** 31, spread: 2 };
const { createRandom } = await import("@koma/sample-library/drawing");
const ep = (seed, n) => {
  const normal = createRandom(seed).normal;
  const v = new Int8Array(n * 128);
  let c;
  for (let f = 0; f < n; f++) {
    if (f % 10 === 0) c = Float32Array.from({ length: 128 }, normal);
    for (let d = 0; d < 128; d++)
      v[f * 128 + d] = Math.max(-127, Math.min(127, Math.round((c[d] + 0.3 * normal()) * 35)));
  }
  return v;
};
const unit = (v) => {
  let s = 0;
  for (const x of v) s += x * x;
  s = Math.sqrt(s);
  return Float32Array.from(v, (x) => x / s);
};
if (isMainThread) {
  const seconds = Number(process.argv[2]);
  const lists = createFrameLists(128);
  const stays = await lists.add(ep(0, 2000));
  lists.show(stays);
  const view = unit(ep(0, 2000).subarray(5 * 128, 6 * 128));
  const ws = [1, 2].map(
    (reader) =>
      new Worker(new URL(import.meta.url), {
        workerData: { memory: lists.memory, reader, view, end: stays.end },
      }),
  );
  const results = ws.map(
    (w) =>
      new Promise((r, j) => {
        w.on("message", r);
        w.on("error", j);
      }),
  );
  const until = Date.now() + seconds * 1000;
  let rounds = 0;
  while (Date.now() < until) {
    const r = await lists.add(ep(++rounds, 3000));
    lists.show(r);
    await lists.refine(3000);
    await lists.remove(r);
  }
  for (const w of ws) w.postMessage("stop");
  process.stdout.write(`${rounds} rounds ${JSON.stringify(await Promise.all(results))}\n`);
} else {
  const { memory, reader, view, end } = workerData;
  const s = createFrameSearcher(memory, reader);
  let stop = false;
  parentPort.on("message", () => {
    stop = true;
  });
  let searches = 0,
    short = 0,
    twice = 0;
  const errors = [];
  const missing = [];
  while (!stop) {
    try {
      const [all] = s.search([view], { count: 60000, effort: everything });
      const known = all.filter(({ label }) => label < end).length;
      if (known !== end) {
        short++;
        missing.push(end - known);
      }
      if (new Set(all.map(({ label }) => label)).size !== all.length) twice++;
    } catch (e) {
      if (errors.length < 3) errors.push(String(e));
    }
    searches++;
    await new Promise((r) => setImmediate(r));
  }
  parentPort.postMessage({ searches, short, twice, missing: missing.slice(0, 12), errors });
  parentPort.close();
}
