import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import type { Database } from "@koma/database";
import {
  type Engine,
  type EpisodeDescriptors,
  encodeDescriptorChunks,
  encodeFrameTable,
  loadModel,
  openEngine,
} from "@koma/engine";
import { drawnFrames } from "../distractors/drawn-frames.ts";
import type { Progress } from "./system.ts";

const [framesPerEpisode, secondsPerFrame, chunkLimitBytes, leaseSeconds] = [10_000, 10, 256 * 1024, 3600];
/** The five open videos have 25 stored frames per shot. */
const framesPerShot = 8;

/** The episode paths of drawn frames. */
export const drawnEpisodePath = {
  one: (folder: string, first: number, count: number) =>
    join(folder, `drawn in shots of ${framesPerShot}`, `${first}-${first + count}`),
  all: (folder: string, count: number) =>
    episodesOf(count).map(({ first, frames }) => drawnEpisodePath.one(folder, first, frames)),
};

/** Describes drawn frames and publishes them as episodes of 10,000; existing ones are skipped. */
export async function indexDrawnEpisodes(
  { database, folder, signal }: { database: Database; folder: string; signal: AbortSignal },
  count: number,
  onProgress: Progress,
): Promise<void> {
  const model = await loadModel();
  const ready = new Set((await database.episodes.listReady(model.id)).map((set) => set.episodeId));
  const anime = await database.anime.findOrCreate({ key: "drawn scenes", title: "Drawn scenes" });
  const engine = await openEngine({ model, workers: Math.min(4, availableParallelism()) });
  try {
    for (const { first, frames } of episodesOf(count)) {
      signal.throwIfAborted();
      const path = drawnEpisodePath.one(folder, first, frames);
      const file = { path, fileName: basename(path), sizeBytes: 0, modifiedAtMs: 0 };
      const naming = {
        animeId: anime.id,
        season: null,
        number: String(first / framesPerEpisode + 1),
        title: null,
      };
      const episode = await database.episodes.upsertPending({ ...file, ...naming });
      if (!ready.has(episode.id)) {
        const described = await engine.describeEpisode(timed(engine, first, frames), {
          aspect: 16 / 9,
          signal,
          onProgress: (atSeconds) => onProgress(first + atSeconds / secondsPerFrame, count),
        });
        const descriptors = cutIntoShots(described);
        const claim = await database.episodes.claim(episode.id, { owner: "quality benchmark", leaseSeconds });
        if (claim === undefined) throw new Error("Another benchmark uses the same folder.");
        const setId = await database.episodes.stageDescriptors(claim, {
          modelId: descriptors.modelId,
          frameTable: encodeFrameTable(descriptors),
          frameCount: descriptors.count,
          chunks: encodeDescriptorChunks(descriptors, chunkLimitBytes),
        });
        const durationSeconds = frames * secondsPerFrame;
        const facts = { sizeBytes: 0, modifiedAtMs: 0, contentHash: `drawn ${path}`, durationSeconds };
        await database.episodes.publish(claim, { setId, ...facts });
      }
      onProgress(first + frames, count);
    }
  } finally {
    await engine.close();
  }
}

/**
 * Returns the descriptors in shots of eight frames. Each drawn frame differs from the one before it, so that the
 * adaptive shot cutter finds a few shots of thousands of frames, of which a search verifies two. The strips belong to
 * those shots and are left out.
 */
function cutIntoShots({ regions, strips: _, ...frames }: EpisodeDescriptors): EpisodeDescriptors {
  const shotSeconds = framesPerShot * secondsPerFrame;
  const lastSeconds = frames.atSeconds.at(-1) ?? 0;
  const shots = Array.from({ length: Math.floor(lastSeconds / shotSeconds) + 1 }, (_, shot) => ({
    fromSeconds: shot * shotSeconds,
    toSeconds: Math.min(lastSeconds, (shot + 1) * shotSeconds - secondsPerFrame),
  }));
  const shotOf = ({ atSeconds }: { atSeconds: Float64Array }) =>
    Uint32Array.from(atSeconds, (at) => Math.floor(at / shotSeconds));
  return {
    ...frames,
    shots,
    shotOf: shotOf(frames),
    regions: regions && { ...regions, shots, shotOf: shotOf(regions) },
  };
}

function episodesOf(count: number): { first: number; frames: number }[] {
  return Array.from({ length: Math.ceil(count / framesPerEpisode) }, (_, i) => ({
    first: i * framesPerEpisode,
    frames: Math.min(framesPerEpisode, count - i * framesPerEpisode),
  }));
}

/** The times are far enough apart that no frame counts as the continuation of another. */
async function* timed(engine: Engine, first: number, count: number) {
  let atSeconds = 0;
  for await (const pixels of drawnFrames(count, engine.frameStreamOptions, first)) {
    yield { atSeconds, pixels };
    atSeconds += secondsPerFrame;
  }
}
