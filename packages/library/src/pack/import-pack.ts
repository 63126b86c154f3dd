import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Episode, EpisodeClaim, EpisodeNaming } from "@koma/database";
import { type Model, readDescriptorVersion } from "@koma/engine";
import { type PublishParts, publishVideo } from "../indexing/describe-video.ts";
import { holdClaim, leaseSeconds } from "../indexing/hold-claim.ts";
import { checkEpisode } from "./check-episode.ts";
import { type PackEpisode, readPack } from "./episodes.ts";
import { findPackAnime } from "./find-pack-anime.ts";
import { cleanText } from "./pack-anime.ts";
import { PackError } from "./pack-error.ts";

export type ImportOptions = {
  /** The name of the pack, which the library shows as the origin of the episodes. */
  name: string;
  /** Receives the bytes that were read so far, and the numbers of episodes. */
  onProgress?: ((progress: { bytes: number; summary: ImportSummary }) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Numbers of episodes of a pack: imported now, imported before, in the library with a video of its own, and without
 * descriptors; and the frames of the imported ones.
 */
export type ImportSummary = {
  episodes: number;
  imported: number;
  unchanged: number;
  withVideo: number;
  empty: number;
  frames: number;
  /** True when the signal stopped the import before the end. */
  isStopped: boolean;
};

export type ImportParts = PublishParts & { model: Model };

type DescribedEpisode = PackEpisode & { descriptors: NonNullable<PackEpisode["descriptors"]> };

const mostEpisodes = 100_000;
const claimPollMs = 1000;
const longestName = 200;

/**
 * Adds the episodes of a pack that the library lacks, each in one transaction: an import may be killed at any point
 * and repeated. Episodes of own videos stay as they are. Throws PackError, also after some episodes were imported, and the
 * errors of the stream.
 */
export async function importPack(
  parts: ImportParts,
  source: AsyncIterable<Uint8Array>,
  o: ImportOptions,
): Promise<ImportSummary> {
  const { database, model } = parts;
  const { onProgress, signal = new AbortController().signal } = o;
  const packName = cleanText(o.name, longestName);
  const summary = {
    ...{ episodes: 0, imported: 0, unchanged: 0, withVideo: 0, empty: 0, frames: 0 },
    isStopped: false,
  };
  const changed = new Set<string>();
  let bytes = 0;
  try {
    await database.collectGarbage();
    for await (const episode of readPack(count(source), { modelId: model.id })) {
      signal.throwIfAborted();
      summary.episodes += 1;
      if (summary.episodes > mostEpisodes)
        throw new PackError(`The pack has more than ${mostEpisodes} episodes.`);
      await checkEpisode(model, episode);
      const outcome = isDescribed(episode)
        ? await settleEpisode(parts, episode, { packName, signal, changed })
        : "empty";
      summary[outcome] += 1;
      if (outcome === "imported") summary.frames += episode.descriptors?.frameCount ?? 0;
      onProgress?.({ bytes, summary });
    }
    await database.episodes.dropOtherModels(model.id);
    for (const animeId of changed) await parts.detectLabels({ animeId, signal });
  } catch (error) {
    if (signal.aborted) return { ...summary, isStopped: true };
    if (!(error instanceof PackError) || summary.imported === 0) throw error;
    const imported = `The ${summary.imported} imported before it stay in the library.`;
    throw new PackError(`${error.message} ${imported}`, { cause: error });
  }
  return summary;

  async function* count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      bytes += chunk.length;
      onProgress?.({ bytes, summary });
      yield chunk;
    }
  }
}

function isDescribed(episode: PackEpisode): episode is DescribedEpisode {
  return episode.descriptors !== undefined;
}

async function settleEpisode(
  parts: ImportParts,
  episode: DescribedEpisode,
  { packName, signal, changed }: { packName: string; signal: AbortSignal; changed: Set<string> },
): Promise<"imported" | "unchanged" | "withVideo"> {
  const { database, model } = parts;
  const { contentHash } = episode;
  const version = readDescriptorVersion(episode.descriptors);
  // The row names no file: the hash is the only part of the pack in it.
  const path = `pack:${contentHash}`;

  const twins = await database.episodes.findByContentHash(contentHash);
  if (twins.some((twin) => twin.packName === null)) return "withVideo";
  if (await isPresent()) return "unchanged";
  const naming = await name(parts, episode);
  if (naming === undefined) return "withVideo";
  const file = { path, fileName: toFileName(episode), sizeBytes: 0, modifiedAtMs: 0 };
  const { id, animeId } = await database.episodes.upsertPending({ ...file, ...naming, packName });
  const claim = await waitForClaim(id);
  if (claim === undefined) return "unchanged";
  try {
    const { durationSeconds, descriptors, stills } = episode;
    const readStills = async () => stills && Uint8Array.from(stills);
    const video = { ...file, localPath: path, contentHash };
    await holdClaim(database, claim, signal, (held) =>
      publishVideo(parts, claim, video, { durationSeconds, ...descriptors, readStills }, held),
    );
  } catch (error) {
    await database.episodes.release(claim).catch(() => undefined);
    throw error;
  }
  changed.add(animeId);
  return "imported";

  /** True if the library has the episode of a pack, as new as this one; its missing stills are added. */
  async function isPresent(): Promise<boolean> {
    const row = await database.episodes.findByPath(path);
    if (row?.state !== "ready") return false;
    const isOlder = await database.episodes.isOutdated(row.id, { modelId: model.id, version });
    if (isOlder) return false;
    await addStills(parts, row, episode);
    return true;
  }

  /** Another import has the claim, or a killed one had it. Undefined when the episode is published meanwhile. */
  async function waitForClaim(episodeId: string): Promise<EpisodeClaim | undefined> {
    const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
    for (;;) {
      const claim = await database.episodes.claim(episodeId, { owner, leaseSeconds });
      if (claim !== undefined) return claim;
      await sleep(claimPollMs, undefined, { signal });
      if (await isPresent()) return undefined;
    }
  }
}

/** An import that was killed after it had published an episode has stored no stills of it. */
async function addStills({ stills }: ImportParts, { id, contentHash }: Episode, episode: PackEpisode) {
  if (episode.stills === undefined || contentHash === null) return;
  const content = { id, contentHash };
  if ((await stills.read(content, 0, 1)) === undefined)
    await stills.write(content, Uint8Array.from(episode.stills));
}

/** The naming of an episode in this library; undefined where a video of the same episode is indexed. */
async function name(
  { database }: ImportParts,
  { title, season, number, episodeTitle, anime }: PackEpisode,
): Promise<EpisodeNaming | undefined> {
  const found = await findPackAnime(database, { title, season, anime });
  const naming = { ...found, number: clean(number, 100), title: clean(episodeTitle, 500) };
  const rows = await database.episodes.list({ animeId: found.animeId });
  const hasVideo = rows.some(
    (row) =>
      row.packName === null &&
      row.contentHash !== null &&
      row.number === naming.number &&
      (row.season ?? 1) === (naming.season ?? 1),
  );
  return hasVideo ? undefined : naming;
}

function clean(text: string | null, limit: number): string | null {
  return text === null ? null : cleanText(text, limit) || null;
}

/** A name as a file would have it, which lists and the API of trace.moe show. */
function toFileName({ title, season, number }: PackEpisode): string {
  const parts = [season === null ? "" : `S${season}`, clean(number, 100) ?? ""].filter((part) => part !== "");
  return [cleanText(title, 200) || "?", parts.join(" ")].filter((part) => part !== "").join(" - ");
}
