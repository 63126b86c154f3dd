import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Database, EpisodeLabel, EpisodeWithAnime } from "@koma/database";
import { decodeDescriptors } from "@koma/engine";
import { type ComparedEpisode, countNeeded, type detectLabels, isLongEnough } from "./detect-labels.ts";
import { type SampledFrames, sampleFrames } from "./sampled-frames.ts";

/** Episodes that are compared with each other at a time; a series with more is compared in groups. */
const groupSize = 12;
/** Sampled frames of an episode take about 70 kB. */
const mostCached = 64;

/** The anime whose episodes are compared: all, or the one that changed with those nearest to it. */
type LabelRequest = {
  animeId: string;
  episodeId?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** Detects and stores the openings and endings of an anime. A failure is logged. Throws AbortError. */
export type LabelDetection = (request: LabelRequest) => Promise<void>;

/**
 * Returns a function that compares the episodes of an anime in a thread, one request after the other, and stores
 * their labels.
 */
export function createLabelDetection(parts: {
  database: Database;
  modelId: string;
  onLog: (message: string) => void;
}): LabelDetection {
  const { episodes } = parts.database;
  const cache = new Map<string, { indexedAt: number; frames: SampledFrames }>();
  let last: Promise<unknown> = Promise.resolve();

  return async (request) => {
    const done = last.then(() => detect(request));
    last = done.catch(() => undefined);
    await done.catch((error: unknown) => {
      request.signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      parts.onLog(`Openings and endings were not looked for: ${reason}`);
    });
  };

  async function detect({ animeId, episodeId, signal }: LabelRequest): Promise<void> {
    signal?.throwIfAborted();
    const rows = (await episodes.list({ animeId })).filter(({ contentHash }) => contentHash !== null);
    const needed = countNeeded(new Set(rows.map(nameEpisode)).size);
    for (const group of chooseGroups(rows, episodeId)) {
      if (new Set(group.map(nameEpisode)).size < needed) continue;
      if (!group.some((row) => isLongEnough(row.durationSeconds))) continue;
      const compared: ComparedEpisode[] = [];
      for (const row of group) {
        const frames = await readFrames(row);
        if (frames === undefined) continue;
        const durationSeconds = row.durationSeconds ?? frames.untilSeconds.at(-1) ?? 0;
        compared.push({ id: row.id, name: nameEpisode(row), durationSeconds, frames });
      }
      for (const { id, labels } of await detectInThread({ episodes: compared, needed }, signal)) {
        const before = group.find((row) => row.id === id)?.labels ?? [];
        // Episodes of another group may share what those of this one do not.
        const others = id === episodeId ? [] : before.filter((known) => isMissing(known, labels));
        if (labels.length > 0 || before.length > 0)
          await episodes.saveDetectedLabels(id, [...labels, ...others]);
      }
    }
  }

  async function readFrames(row: EpisodeWithAnime): Promise<SampledFrames | undefined> {
    const indexedAt = row.indexedAt?.getTime() ?? 0;
    const known = cache.get(row.id);
    if (known?.indexedAt === indexedAt) return known.frames;
    const stored = await episodes.readDescriptors(row.id, parts.modelId);
    if (stored === undefined) return undefined;
    const frames = sampleFrames(decodeDescriptors(parts.modelId, stored.frameTable, stored.chunks));
    cache.delete(row.id);
    cache.set(row.id, { indexedAt, frames });
    const [oldest] = cache.keys();
    if (cache.size > mostCached && oldest !== undefined) cache.delete(oldest);
    return frames;
  }
}

function isMissing({ label }: EpisodeLabel, labels: readonly EpisodeLabel[]): boolean {
  return !labels.some((other) => other.label === label);
}

/** All episodes in groups, or the group around one, in their order. */
function chooseGroups(
  rows: readonly EpisodeWithAnime[],
  episodeId: string | undefined,
): (readonly EpisodeWithAnime[])[] {
  if (episodeId === undefined) {
    const groups = [];
    for (let first = 0; first < rows.length; first += groupSize)
      groups.push(rows.slice(first, first + groupSize));
    return groups;
  }
  const at = rows.findIndex(({ id }) => id === episodeId);
  if (at < 0) return [];
  const first = Math.max(0, Math.min(at - groupSize / 2, rows.length - groupSize));
  return [rows.slice(first, first + groupSize)];
}

/** Two files of one episode have one name. */
function nameEpisode({ id, season, number }: EpisodeWithAnime): string {
  return number === null ? id : `${season ?? 1} ${number}`;
}

async function detectInThread(
  workerData: { episodes: ComparedEpisode[]; needed: number },
  signal: AbortSignal | undefined,
): Promise<ReturnType<typeof detectLabels>> {
  const thread = new Worker(new URL("./labels-worker.ts", import.meta.url), { workerData });
  try {
    const [labels] = await once(thread, "message", { signal });
    return labels;
  } finally {
    await thread.terminate();
  }
}
