import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { connectDatabase } from "@koma/database";
import { type FfmpegTools, type LibrarySearch, openLibrary } from "@koma/library";
import type { SurveyedVideo } from "../images/survey-video.ts";
import { drawnEpisodePath, indexDrawnEpisodes } from "./index-drawn-episodes.ts";
import type { Found, Progress, System } from "./system.ts";

export type KomaSystemOptions = {
  /** Folder of database and index, which a later run reuses; it must contain nothing else. */
  folder: string;
  tools: FfmpegTools;
  signal: AbortSignal;
};

/** Opens the complete Koma: the library indexes videos into a new database and searches images in it. */
export async function openKomaSystem(o: KomaSystemOptions): Promise<System> {
  const { folder, tools, signal } = o;
  await mkdir(folder, { recursive: true });
  const options = { dataDir: folder, onLog: (message: string) => process.stderr.write(`${message}\n`) };
  const database = await connectDatabase(options);
  const library = await openLibrary({ ...options, database, tools }).catch(async (error) => {
    await database.close();
    throw error;
  });
  const missing = new Set<string>();
  const pathOf = new Map<string, string>();
  let search: LibrarySearch | undefined;

  /** Closes the search, and removes videos of an earlier run that are not part of this one. */
  async function startChange(): Promise<void> {
    await search?.close();
    search = undefined;
    const left = (await database.episodes.list()).filter((episode) => !missing.has(episode.path));
    if (left.length > 0) await library.remove({ ids: left.map((episode) => episode.id) });
  }

  async function openSearch(): Promise<LibrarySearch> {
    for (const episode of await database.episodes.list()) pathOf.set(episode.id, episode.path);
    search = await library.openSearch({ follow: false, signal });
    return search;
  }

  return {
    name: "Koma",
    async index(videos: readonly SurveyedVideo[], onProgress: Progress) {
      for (const video of videos) missing.add(video.file);
      await startChange();
      const { problems } = await library.indexPaths(
        videos.map((video) => video.file),
        {
          signal,
          jobs: 1,
          onEvent: (event) => {
            if (event.kind !== "progress") return;
            onProgress(
              videos.findIndex((video) => video.file === event.file) + event.fraction,
              videos.length,
            );
          },
        },
      );
      signal.throwIfAborted();
      if (problems[0] !== undefined) throw new Error(`${problems[0].file}: ${problems[0].problem}`);
      await openSearch();
    },
    async addDistractors(count, onProgress) {
      for (const path of drawnEpisodePath.all(folder, count)) missing.add(path);
      await startChange();
      await indexDrawnEpisodes({ database, folder, signal }, count, onProgress);
    },
    async search(image) {
      const opened = search ?? (await openSearch());
      const { matches, outcome } = await opened.search(image, { limit: 5, signal });
      const found = matches.map(
        ({ timestamp, from, to, score, similarity, isConfident, features, episode, fileName }): Found => ({
          file: pathOf.get(episode.id) ?? join(folder, fileName),
          ...{ timestamp, from, to, score, similarity, isConfident, features },
        }),
      );
      return { found, outcome };
    },
    size: () => search?.status().index ?? { frames: 0, memoryBytes: 0 },
    async close() {
      await library.close();
      await database.close();
    },
  };
}
