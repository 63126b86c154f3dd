import { createReadStream } from "node:fs";
import type { FindDescription } from "../indexing/describe-video.ts";
import { type PackEpisode, readPack } from "./episodes.ts";
import { PackError } from "./pack-error.ts";

type PackFile = { file: string; modelId: string };

/** Finds the episode of a video by the SHA-256 of its content. Throws PackError and file errors. */
export async function findInPack(
  { file, modelId }: PackFile,
  contentHash: string,
): Promise<PackEpisode | undefined> {
  for await (const episode of readPack(createReadStream(file), { modelId })) {
    if (episode.contentHash === contentHash) return episode;
  }
  return undefined;
}

/** Lists the SHA-256 hashes of the content of all videos of a pack. Throws PackError and file errors. */
export async function listContentHashes({ file, modelId }: PackFile): Promise<Set<string>> {
  const episodes = readPack(createReadStream(file), { modelId });
  return new Set(await Array.fromAsync(episodes, ({ contentHash }) => contentHash));
}

/**
 * Returns a function that finds descriptions in a pack, which the first call reads and holds in memory. With
 * a pack that cannot be read it finds none, and `onLog` receives the reason.
 */
export function createDescriptionFinder(pack: PackFile, onLog: (message: string) => void): FindDescription {
  let episodes: Promise<Map<string, PackEpisode>> | undefined;
  return async (contentHash) => {
    episodes ??= readAll(pack).catch((error: unknown) => {
      onLog(`${describePackError(pack.file, error)} The sample videos are read instead.`);
      return new Map<string, PackEpisode>();
    });
    const found = (await episodes).get(contentHash);
    if (found?.descriptors === undefined) return undefined;
    const { durationSeconds, descriptors, stills } = found;
    return { durationSeconds, ...descriptors, readStills: async () => stills && Uint8Array.from(stills) };
  };
}

/** Returns one sentence for a pack that cannot be read. */
export function describePackError(file: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return error instanceof PackError ? `${file}: ${reason}` : `${file} cannot be read: ${reason}.`;
}

async function readAll({ file, modelId }: PackFile): Promise<Map<string, PackEpisode>> {
  const episodes = new Map<string, PackEpisode>();
  for await (const episode of readPack(createReadStream(file), { modelId }))
    episodes.set(episode.contentHash, episode);
  return episodes;
}
