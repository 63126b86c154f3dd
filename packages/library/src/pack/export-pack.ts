import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Database, EpisodeWithAnime, StillSetStore } from "@koma/database";
import type { ProgressOptions } from "../progress-options.ts";
import { episodeLimits, type PackEpisode, sectionLimits, writePack } from "./episodes.ts";
import { cleanText, toPackAnime } from "./pack-anime.ts";
import { PackError } from "./pack-error.ts";

export type ExportOptions = ProgressOptions & {
  /** Ids of the anime to write. Default: all but the sample library, which every Koma has. */
  animeIds?: readonly string[] | undefined;
  /** Also writes the stills of the shots. Default: false. */
  hasStills?: boolean | undefined;
};

type ExportParts = { database: Database; stills: StillSetStore; modelId: string };

/** What was written; `skipped` episodes are not indexed, or have no descriptors of this model. */
export type ExportSummary = {
  episodes: number;
  frames: number;
  seconds: number;
  skipped: number;
  bytes: number;
};

/**
 * Writes what searching needs of episodes to a new file, and no video. The file appears when it is complete. Throws
 * PackError when it exists or when there is no episode to write, and AbortError on the signal.
 */
export async function exportPack(parts: ExportParts, file: string, o: ExportOptions): Promise<ExportSummary> {
  const { database, modelId } = parts;
  const { animeIds, onProgress, signal } = o;
  if (existsSync(file)) throw new PackError(`${file} exists already.`);
  const rows = await database.episodes.list(animeIds === undefined ? { isSample: false } : { ids: animeIds });
  const summary: ExportSummary = { episodes: 0, frames: 0, seconds: 0, skipped: 0, bytes: 0 };
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  try {
    const output = createWriteStream(draft, { flags: "wx", flush: true });
    await pipeline(writePack(modelId, readEpisodes()), output, { signal });
    if (summary.episodes === 0) throw new PackError("There is no indexed episode to write.");
    summary.bytes = (await stat(draft)).size;
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return summary;

  async function* readEpisodes(): AsyncGenerator<PackEpisode, void, void> {
    const written = new Set<string | null>();
    for (const [done, row] of rows.entries()) {
      onProgress?.({ done, total: rows.length });
      // Copies of one file are written once.
      const episode = written.has(row.contentHash) ? undefined : await readEpisode(parts, row, o);
      if (episode === undefined) {
        summary.skipped += 1;
        continue;
      }
      written.add(row.contentHash);
      summary.episodes += 1;
      summary.frames += episode.descriptors?.frameCount ?? 0;
      summary.seconds += episode.durationSeconds;
      yield episode;
    }
    onProgress?.({ done: rows.length, total: rows.length });
  }
}

async function readEpisode(
  { database, stills, modelId }: ExportParts,
  row: EpisodeWithAnime,
  { hasStills }: ExportOptions,
): Promise<PackEpisode | undefined> {
  const { id, contentHash, durationSeconds, season, number, frameCount, anime } = row;
  if (contentHash === null || durationSeconds === null) return undefined;
  const descriptors = await database.episodes.readDescriptors(id, modelId);
  if (descriptors === undefined) return undefined;
  const limitBytes = sectionLimits.get("STIL") ?? 0;
  const read = hasStills === true ? await stills.read({ id, contentHash }, 0, limitBytes + 1) : undefined;
  const isWritten = read !== undefined && read.length > 0 && read.length <= limitBytes;
  const title = anime.titleRomaji ?? anime.titleEnglish ?? anime.titleNative ?? "";
  return {
    contentHash,
    title: cleanText(title, episodeLimits.title) || "?",
    season,
    number: number === null ? null : cleanText(number, episodeLimits.number) || null,
    episodeTitle: row.title === null ? null : cleanText(row.title, episodeLimits.title) || null,
    durationSeconds,
    anime: toPackAnime(anime),
    descriptors: { ...descriptors, frameCount },
    ...(isWritten && { stills: read }),
    frames: [],
    clips: [],
  };
}
