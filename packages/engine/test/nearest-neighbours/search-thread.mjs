// Searches shared frame lists until the parent stops it, and reports results that cannot be correct.
import { parentPort, workerData } from "node:worker_threads";
import { createFrameSearcher } from "../../src/nearest-neighbours/frame-searcher.ts";

const { memory, reader, views, stays, expected } = workerData;
const searcher = createFrameSearcher(memory, reader);
const everything = { leaves: 65_536, frames: 2 ** 31, spread: 2 };
const faults = [];
let searches = 0;
let isStopped = false;
parentPort.on("message", () => {
  isStopped = true;
});

function check() {
  const same = JSON.stringify(searcher.search(views, { count: 30, ranges: [stays], effort: everything }));
  if (same !== JSON.stringify(expected)) faults.push("other neighbours among the unchanged frames");
  const [all] = searcher.search([views[0]], { count: 60_000, effort: everything });
  const labels = all.map(({ label }) => label);
  const known = labels.filter((label) => label < stays.end).length;
  if (known !== stays.end - stays.first) faults.push(`${known} of the unchanged frames`);
  if (new Set(labels).size !== labels.length) faults.push("a repeated frame");
  for (const { label, cosine } of all.slice(0, 5)) {
    const vector = searcher.vectorOf(label);
    const own = vector?.reduce((sum, value, at) => sum + value * views[0][at], 0);
    if (own !== undefined && Math.abs(own - cosine) > 0.001) faults.push("a vector of another frame");
  }
  searches++;
}

parentPort.postMessage("started");
while (!isStopped && faults.length === 0) {
  try {
    check();
  } catch (error) {
    faults.push(String(error));
  }
  await new Promise((resolve) => setImmediate(resolve));
}
parentPort.postMessage({ searches, faults });
parentPort.close();
