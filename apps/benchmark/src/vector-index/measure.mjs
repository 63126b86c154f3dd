// Measures the vector index: node measure.mjs DESCRIBED_FOLDER FRAMES [leaves:frames:spread ...]
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFrameLists } from "@koma/engine/internals/vector-index/frame-lists";
import { createFrameSearcher } from "@koma/engine/internals/vector-index/frame-searcher";
import { readSnapshot, writeSnapshot } from "@koma/engine/internals/vector-index/snapshot";
import { EPISODE_FRAMES, generateEpisodes, readDescribed } from "./generate.mjs";

const [folder, framesText, ...efforts] = process.argv.slice(2);
const frameCount = Number(framesText);
const described = readDescribed(folder);
const axesFile = new URL(import.meta.resolve("@koma/engine/models/koma-1/principal-axes.bin"));
const axesBytes = readFileSync(axesFile);
const axes = new Float32Array(
  axesBytes.buffer.slice(axesBytes.byteOffset, axesBytes.byteOffset + axesBytes.length),
);
let lists = createFrameLists(128, process.env.KOMA_BENCH_AXES === "0" ? undefined : axes);
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const took = (from) => `${(cpu() - from).toFixed(1)} ms CPU`;
const print = (...values) => process.stdout.write(`${values.join(" ")}\n`);

let building = 0;
let refined = 0;
const add = async (codes) => {
  const from = cpu();
  const range = await lists.add(codes);
  lists.show(range);
  building += cpu() - from;
  const refining = cpu();
  await lists.refine(codes.length / 128);
  refined += cpu() - refining;
  return range;
};
const ranges = [];
for (const { codes } of described.episodes) ranges.push(await add(codes));
const generated = generateEpisodes(described);
while (lists.stats().frames < frameCount) {
  const { value } = generated.next();
  await add(value.subarray(0, Math.min(value.length, (frameCount - lists.stats().frames) * 128)));
}
const { frames, leaves, memoryBytes } = lists.stats();
print(
  `${frames} frames, ${leaves} leaves, built in ${(building / 1000).toFixed(1)} s CPU and refined in ${(refined / 1000).toFixed(1)}`,
);
print(
  `memory ${(memoryBytes / frames).toFixed(1)} bytes per frame; resident ${(process.memoryUsage().rss / frames).toFixed(1)}`,
);

const { value: another } = generated.next();
let from = cpu();
const start = performance.now();
const range = await add(another);
print(`add ${EPISODE_FRAMES} frames: ${took(from)}`);
from = cpu();
const removed = lists.remove(range);
print(`hide an episode: ${took(from)}`);
await removed;
print(
  `free its memory as well: ${took(from)}, ${(performance.now() - start).toFixed(0)} ms since the addition began`,
);

const snapshotFolder = mkdtempSync(path.join(tmpdir(), "koma-bench-"));
const file = path.join(snapshotFolder, "index");
from = cpu();
let wall = performance.now();
await writeSnapshot(file, lists, {});
print(
  `snapshot ${(statSync(file).size / frames).toFixed(1)} bytes per frame, written in ${took(from)}, ${(performance.now() - wall).toFixed(0)} ms`,
);
if (process.env.KOMA_BENCH_OPEN !== "0") {
  from = cpu();
  wall = performance.now();
  lists = (await readSnapshot(file, 128)).lists;
  print(`opened in ${took(from)}, ${(performance.now() - wall).toFixed(0)} ms`);
}
rmSync(snapshotFolder, { recursive: true });

const searcher = createFrameSearcher(lists.memory, 1);

// Views by image: the few of the first pass, or all views of some images.
const byImage = (isThorough, step) => {
  const images = new Map();
  for (const query of described.queries) {
    if (query.isThorough !== isThorough || query.image % step !== 0) continue;
    images.set(query.image, [...(images.get(query.image) ?? []), query]);
  }
  return [...images.values()];
};
const sets = [
  ["first pass", byImage(false, 1)],
  ["thorough", byImage(true, 8)],
];
const everything = { leaves: 1 << 16, frames: 2 ** 31, spread: 2 };
const truth = new Map();
for (const [name, images] of sets) {
  from = cpu();
  truth.set(
    name,
    images.map((image) =>
      searcher.search(
        image.map(({ vector }) => vector),
        { count: 100, effort: { ...everything, leaves } },
      ),
    ),
  );
  const views = images.reduce((sum, image) => sum + image.length, 0);
  print(
    `${name}: ${images.length} images, ${views} views; all frames compared: ${((cpu() - from) / views).toFixed(2)} ms CPU per view`,
  );
}

/** Returns the labels of stored frames within half a second of a query's frame. */
const rightLabels = ({ videoAt, seconds }) => {
  const { atSeconds } = described.episodes[videoAt];
  return new Set(
    atSeconds.flatMap((at, frame) => (Math.abs(at - seconds) < 0.5 ? [ranges[videoAt].first + frame] : [])),
  );
};

const chosen =
  efforts.length > 0
    ? efforts.map((text) => {
        const [most, budget, spread] = text.split(":").map(Number);
        return { leaves: Math.min(leaves, most), frames: budget, spread };
      })
    : [undefined];
for (const effort of chosen) {
  for (const [name, images] of sets) {
    const exact = truth.get(name);
    let [views, hits10, hits100, possible, right, rightOfExact] = [0, 0, 0, 0, 0, 0];
    let imagesPossible = 0;
    let imagesRight = 0;
    let compared = 0;
    from = cpu();
    const found = images.map((image) => {
      const list = searcher.search(
        image.map(({ vector }) => vector),
        { count: 100, effort },
      );
      compared += searcher.comparisons();
      return list;
    });
    const cost = cpu() - from;
    for (const [at, image] of images.entries()) {
      let hasImage = false;
      let findsImage = false;
      for (const [view, query] of image.entries()) {
        const want = exact[at][view];
        const labels = new Set(found[at][view].map(({ label }) => label));
        const best10 = new Set(found[at][view].slice(0, 10).map(({ label }) => label));
        views++;
        possible += want.length;
        hits100 += want.filter(({ label }) => labels.has(label)).length;
        hits10 += want.slice(0, 10).filter(({ label }) => best10.has(label)).length;
        const correct = rightLabels(query);
        if (want.some(({ label }) => correct.has(label))) {
          rightOfExact++;
          hasImage = true;
          if (found[at][view].some(({ label }) => correct.has(label))) {
            right++;
            findsImage = true;
          }
        }
      }
      imagesPossible += Number(hasImage);
      imagesRight += Number(findsImage);
    }
    print(
      `${effort === undefined ? "default" : JSON.stringify(effort)} ${name}: recall@10 ${(hits10 / views / 10).toFixed(4)}, @100 ${(hits100 / possible).toFixed(4)}, ` +
        `right frame ${right}/${rightOfExact} views ${(right / rightOfExact).toFixed(4)}, ${imagesRight}/${imagesPossible} images, ` +
        `${(compared / views).toFixed(0)} compared, ${(cost / views).toFixed(3)} ms CPU per view, ${(cost / images.length).toFixed(2)} per image`,
    );
  }
}
