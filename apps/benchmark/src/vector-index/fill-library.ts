// Publishes generated episodes until a library has that many frames: node fill-library.ts DATABASE_URL FRAMES
// Their descriptors have the statistics of the indexed videos, of which there must be some. The thumbnails
// are those of these videos with the bytes in reverse order. One frame in 64 has regions.
import { connectDatabase } from "@koma/database";
import {
  type EpisodeDescriptors,
  encodeDescriptorChunks,
  encodeFrameTable,
  loadModel,
  type RegionDescriptors,
} from "@koma/engine";
import { decodeDescriptors } from "@koma/engine/internals/episode/descriptor-codec";
import { frameRegions } from "@koma/engine/internals/episode/frame-regions";
import { EPISODE_FRAMES, generateEpisodes } from "./generate-episodes.ts";

const [databaseUrl, framesText] = process.argv.slice(2);
const [framesPerShot, framesPerRegionFrame, secondsPerFrame, chunkLimitBytes] = [8, 64, 0.2, 256 * 1024];
const title = "Generated Episodes";
const database = await connectDatabase({ dataDir: "unused", databaseUrl });
const model = await loadModel();
const anime = await database.anime.findOrCreate({ key: "generated episodes", title });
const { sources, frameCount, generatedCount } = await readLibrary();
const thumbnails = sources.map((source) => source.thumbnails.toReversed());
const frames = generateEpisodes(sources, generatedCount + 1);
const regions = generateEpisodes(
  sources.flatMap((source) => source.regions ?? []),
  generatedCount + 1,
);

let total = frameCount;
for (let number = generatedCount + 1; total < Number(framesText); number++) {
  const count = Math.min(EPISODE_FRAMES, Number(framesText) - total);
  await publish(number, describe(count));
  total += count;
  process.stdout.write(`${total} frames\n`);
}
await database.close();

async function readLibrary() {
  const episodes = await database.episodes.list();
  const generated = episodes.filter(({ path }) => path.startsWith("/generated/"));
  const videos = episodes.filter(({ state, path }) => state === "ready" && !path.startsWith("/generated/"));
  const stored = await Promise.all(videos.map(({ id }) => database.episodes.readDescriptors(id, model.id)));
  return {
    sources: stored.flatMap((one) =>
      one === undefined ? [] : [decodeDescriptors(model.id, one.frameTable, one.chunks)],
    ),
    frameCount: episodes.reduce((sum, one) => sum + one.frameCount, 0),
    generatedCount: generated.length,
  };
}

function describe(count: number): EpisodeDescriptors {
  const atSeconds = Float64Array.from({ length: count }, (_, frame) => frame * secondsPerFrame);
  const shotOf = Uint32Array.from({ length: count }, (_, frame) => Math.floor(frame / framesPerShot));
  const shots = Array.from({ length: Math.ceil(count / framesPerShot) }, (_, shot) => ({
    fromSeconds: shot * framesPerShot * secondsPerFrame,
    toSeconds: ((shot + 1) * framesPerShot - 1) * secondsPerFrame,
  }));
  const chosen = Array.from({ length: Math.floor(count / framesPerRegionFrame) }, (_, at) =>
    Array.from(frameRegions, () => at * framesPerRegionFrame),
  ).flat();
  const common = { modelId: model.id, aspect: 16 / 9, shots };
  return {
    ...common,
    ...takeVectors(frames, count),
    atSeconds,
    shotOf,
    regions: {
      ...common,
      ...takeVectors(regions, chosen.length),
      atSeconds: Float64Array.from(chosen, (frame) => atSeconds[frame] ?? 0),
      shotOf: Uint32Array.from(chosen, (frame) => shotOf[frame] ?? 0),
    },
  };
}

function takeVectors(
  generated: Generator<Int8Array, never>,
  count: number,
): Pick<RegionDescriptors, "count" | "vectors" | "scales" | "thumbnails"> {
  const all = new Uint8Array(count * 480);
  const source = thumbnails[Math.floor(Math.random() * thumbnails.length)];
  if (source === undefined) throw new Error("The library has no indexed video.");
  for (let at = 0; at < all.length; at += source.length)
    all.set(source.subarray(0, Math.min(source.length, all.length - at)), at);
  return {
    count,
    vectors: generated.next().value.subarray(0, count * model.dimensions),
    scales: new Float32Array(count).fill(1),
    thumbnails: all,
  };
}

async function publish(number: number, descriptors: EpisodeDescriptors): Promise<void> {
  const path = `/generated/${title} - ${number}.mkv`;
  const file = { path, fileName: `${number}.mkv`, sizeBytes: 0, modifiedAtMs: 0 };
  const naming = { animeId: anime.id, season: null, number: String(number), title: null };
  const episode = await database.episodes.upsertPending({ ...file, ...naming });
  const claim = await database.episodes.claim(episode.id, { owner: "benchmark", leaseSeconds: 3600 });
  if (claim === undefined) throw new Error(`Another process indexes ${path}.`);
  const setId = await database.episodes.stageDescriptors(claim, {
    modelId: model.id,
    frameTable: encodeFrameTable(descriptors),
    frameCount: descriptors.count,
    chunks: encodeDescriptorChunks(descriptors, chunkLimitBytes),
  });
  await database.episodes.publish(claim, {
    setId,
    sizeBytes: 0,
    modifiedAtMs: 0,
    contentHash: path,
    durationSeconds: descriptors.count * secondsPerFrame,
  });
}
