import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, sep } from "node:path";
import type { Database, EpisodeWithAnime } from "@koma/database";
import { type Engine, loadModel, openEngine } from "@koma/engine";
import type { FfmpegTools } from "@koma/media";
import { copyClips } from "./indexing/copy-clips.ts";
import type { IndexOptions, IndexSummary } from "./indexing/index-event.ts";
import { indexPaths } from "./indexing/index-paths.ts";
import { findEntry, type LibraryEntry, listEntries } from "./library-entry.ts";
import { rebuildIndex } from "./maintenance/rebuild-index.ts";
import { type RemovedEpisodes, removeEpisodes } from "./maintenance/remove-episodes.ts";
import { type MaintenanceOptions, type VerifyReport, verifyLibrary } from "./maintenance/verify-library.ts";
import type { MetadataOptions, MetadataResult } from "./metadata/apply-metadata.ts";
import { importOfflineDatabase } from "./metadata/import-offline-database.ts";
import { type AniListSyncOptions, syncAniList } from "./metadata/sync-anilist.ts";
import { openPreviews, type Previews, type PreviewsOptions } from "./previews/previews.ts";
import { type LibrarySearch, type OpenSearchOptions, openSearch } from "./search/open-search.ts";

export type LibraryOptions = {
  database: Database;
  /** Folder of caches and of the sample clips; created when missing. */
  dataDir: string;
  tools: FfmpegTools;
  /** Threads that describe pictures and frames; by default one per processor, at most four. */
  engineWorkers?: number | undefined;
  /** Takes sentences about things that went wrong but were mended or skipped. */
  onLog?: ((message: string) => void) | undefined;
};

/** Where the sample clips are, and how they are indexed. */
export type SampleLibraryOptions = {
  /** The folder of the rendered clips. */
  clipsFolder: string;
  onEvent?: IndexOptions["onEvent"];
  signal?: AbortSignal | undefined;
};

/**
 * The indexed films as one thing. Opens cheaply: threads start with the first use that needs them. Close it after
 * use, and before the database.
 */
export async function openLibrary(options: LibraryOptions) {
  const { database, dataDir, tools } = options;
  const onLog = options.onLog ?? (() => undefined);
  const cacheFolder = join(dataDir, "index");
  const sampleFolder = join(dataDir, "sample");
  const workers = options.engineWorkers ?? Math.min(4, availableParallelism());
  const model = await loadModel();
  let engine: Promise<Engine> | undefined;
  const searches = new Set<LibrarySearch>();
  const previews = new Set<Previews>();

  const getEngine = (): Promise<Engine> => {
    engine ??= openEngine({ model, workers });
    return engine;
  };
  const index = async (paths: readonly string[], o: IndexOptions): Promise<IndexSummary> => {
    const summary = await indexPaths({ database, tools, openEngine: getEngine, modelId: model.id }, paths, o);
    if (!summary.isStopped) await database.episodes.dropOtherModels(model.id);
    return summary;
  };

  return {
    /**
     * Brings the library in step with films at these paths (files or folders, walked). A bad film is counted and the
     * rest goes on; when the signal ends the work, the summary says so. Descriptors of an earlier model go when no
     * film is left without those of the present one.
     */
    indexPaths: (paths: readonly string[], o: IndexOptions = {}): Promise<IndexSummary> => index(paths, o),

    /** Opens the films for search; the first time, or after its cache was lost, this reads all descriptors. */
    async openSearch(o: OpenSearchOptions): Promise<LibrarySearch> {
      const parts = {
        database,
        engine: await getEngine(),
        cacheFolder,
        imagesAtOnce: 2 * workers,
        onLog,
      };
      const search = await openSearch(parts, o);
      searches.add(search);
      return search;
    },

    /** Stills and clips, cut on demand and cached. */
    openPreviews(o: PreviewsOptions = {}): Previews {
      const opened = openPreviews({ database, tools, cacheDir: join(dataDir, "previews") }, o);
      previews.add(opened);
      return opened;
    },

    /** All anime with their episodes, by title. */
    list: (): Promise<LibraryEntry[]> => listEntries(database),

    /** The anime with this id with all its episodes, or of an episode's id its anime with it alone. */
    findEntry: (id: string): Promise<LibraryEntry | undefined> => findEntry(database, id),

    /** Forgets episodes and gives them. Films stay where they are, but for the sample films. */
    async remove(what: RemovedEpisodes): Promise<EpisodeWithAnime[]> {
      const removed = await removeEpisodes(database, what);
      if ("sample" in what) await rm(sampleFolder, { recursive: true, force: true });
      return removed;
    },

    /** Throws the index cache away and builds it again from the stored descriptors; those of an earlier model go as after indexing. */
    async rebuild(o: MaintenanceOptions = {}): Promise<{ episodes: number; frames: number }> {
      const rebuilt = await rebuildIndex({ database, model, cacheFolder, onLog }, o);
      await database.episodes.dropOtherModels(model.id);
      return rebuilt;
    },

    /** Checks that films, descriptors and the index cache fit together; changes nothing. */
    verify: (o: MaintenanceOptions = {}): Promise<VerifyReport> =>
      verifyLibrary({ database, model, cacheFolder }, o),

    /** Fills metadata from a file of anime-offline-database (JSON or JSON lines). Throws MetadataFileError. */
    importMetadata: (file: string, o: MetadataOptions = {}): Promise<MetadataResult> =>
      importOfflineDatabase(database, file, o),

    /** Fills metadata from AniList's GraphQL API. Throws MetadataSyncError, AbortError. */
    syncMetadata: (o: AniListSyncOptions = {}): Promise<MetadataResult> => syncAniList(database, o),

    /**
     * Copies the sample clips to the data folder and indexes them; existing copies stay, those of earlier versions as
     * well. Undefined, and without effect, when the library holds videos of its user, or on a shared database the sample
     * clips of another data folder.
     */
    async ensureSampleLibrary(o: SampleLibraryOptions): Promise<IndexSummary | undefined> {
      const { onEvent, signal } = o;
      return await database.withLock({ name: "sample-library", signal }, async () => {
        const isOwn = (episode: EpisodeWithAnime) =>
          episode.isSample &&
          (database.kind === "embedded" || episode.path.startsWith(join(sampleFolder, sep)));
        if (!(await database.episodes.list()).every(isOwn)) return undefined;
        const files = await copyClips(o.clipsFolder, sampleFolder);
        return await index(files, { isSample: true, onEvent, signal });
      });
    },

    /** Ends all that was opened from here: searches (their cache is saved), previews and threads. */
    async close(): Promise<void> {
      for (const opened of previews) await opened.close();
      for (const opened of searches) await opened.close();
      await (await engine)?.close();
    },
  };
}

/** The indexed films as one thing. */
export type Library = Awaited<ReturnType<typeof openLibrary>>;
