import { randomUUID } from "node:crypto";
import type { Database, Episode, EpisodeClaim, FileFacts } from "@koma/database";

/** The model id of the descriptors in these tests. */
export const modelId = "test-model";

/** Generates the file facts of a video. */
export function generateFile(name: string = randomUUID()): FileFacts {
  return {
    path: `/films/${name}.mkv`,
    fileName: `${name}.mkv`,
    sizeBytes: 1000,
    modifiedAtMs: 1_700_000_000_000,
  };
}

/** Creates a pending episode of a new anime. */
export async function makeEpisode(database: Database, file: FileFacts = generateFile()): Promise<Episode> {
  const anime = await database.anime.findOrCreate({ key: randomUUID(), title: "Lantern Road" });
  return await database.episodes.upsertPending({
    ...file,
    animeId: anime.id,
    season: null,
    number: "1",
    title: null,
  });
}

/** Claims an episode or throws. */
export async function claimEpisode(database: Database, id: string, leaseSeconds = 60): Promise<EpisodeClaim> {
  const claim = await database.episodes.claim(id, { owner: "test", leaseSeconds });
  if (claim === undefined) throw new Error(`Episode ${id} is claimed already.`);
  return claim;
}

/** Stages and publishes descriptors whose bytes all are `mark`. */
export async function publishEpisode(
  database: Database,
  id: string,
  options: { mark?: number; model?: string; contentHash?: string; version?: number } = {},
): Promise<void> {
  const { mark = 1, model = modelId, contentHash = "hash", version } = options;
  const claim = await claimEpisode(database, id);
  const setId = await database.episodes.stageDescriptors(claim, {
    modelId: model,
    version,
    frameTable: new Uint8Array(100).fill(mark),
    frameCount: 10,
    chunks: [new Uint8Array(2000).fill(mark), new Uint8Array(700).fill(mark)],
  });
  await database.episodes.publish(claim, {
    setId,
    sizeBytes: 2000,
    modifiedAtMs: 1_700_000_000_500,
    contentHash,
    durationSeconds: 1435.2,
  });
}
