import { join, sep } from "node:path";
import type { Database, EpisodeWithAnime } from "@koma/database";
import { copyClips } from "./copy-clips.ts";
import type { IndexOptions, IndexSummary } from "./index-event.ts";

/** Location and indexing options of the sample clips. */
export type SampleLibraryOptions = {
  /** The folder of the rendered clips. */
  clipsFolder: string;
  onEvent?: IndexOptions["onEvent"];
  signal?: AbortSignal | undefined;
};

/**
 * Copies the sample clips to a folder and indexes them with `index`. Returns undefined without an effect when the
 * database has other videos.
 */
export async function ensureSampleLibrary(
  { database, sampleFolder }: { database: Database; sampleFolder: string },
  { clipsFolder, signal }: SampleLibraryOptions,
  index: (files: readonly string[]) => Promise<IndexSummary>,
): Promise<IndexSummary | undefined> {
  return await database.withLock({ name: "sample-library", signal }, async () => {
    const isOwn = (episode: EpisodeWithAnime) =>
      episode.isSample && (database.kind === "embedded" || episode.path.startsWith(join(sampleFolder, sep)));
    if (!(await database.episodes.list()).every(isOwn)) return undefined;
    return await index(await copyClips(clipsFolder, sampleFolder));
  });
}
