import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database, EpisodeWithAnime } from "@koma/database";
import { descriptorVersion, type Engine, type FrameIndex, loadModel, openEngine } from "@koma/engine";
import { FfmpegMissingError, type FfmpegTools } from "@koma/media";
import {
  countDescribable,
  type DescribeOptions,
  type DescribeSummary,
  describeEpisodes,
} from "./indexing/describe-episodes.ts";
import type { FindDescription } from "./indexing/describe-video.ts";
import { ensureSampleLibrary, type SampleLibraryOptions } from "./indexing/ensure-sample-library.ts";
import type { IndexOptions, IndexSummary } from "./indexing/index-event.ts";
import { indexPaths } from "./indexing/index-paths.ts";
import { createLabelDetection } from "./labels/label-detection.ts";
import { findEntry, type LibraryEntry, listEntries } from "./library-entry.ts";
import { readStatus } from "./maintenance/read-status.ts";
import { type RemovedEpisodes, removeEpisodes } from "./maintenance/remove-episodes.ts";
import { type FolderNaming, renameFolder } from "./maintenance/rename-folder.ts";
import { type VerifyReport, verifyLibrary } from "./maintenance/verify-library.ts";
import type { MetadataResult } from "./metadata/apply-metadata.ts";
import { type CoverResult, type FetchCover, fetchCovers } from "./metadata/fetch-covers.ts";
import { importOfflineDatabase } from "./metadata/import-offline-database.ts";
import { type AniListSyncOptions, syncAniList } from "./metadata/sync-anilist.ts";
import { type ExportOptions, type ExportSummary, exportPack } from "./pack/export-pack.ts";
import { createDescriptionFinder } from "./pack/find-in-pack.ts";
import { type ImportOptions, type ImportSummary, importPack } from "./pack/import-pack.ts";
import { openPreviews, type Previews, type PreviewsOptions } from "./previews/previews.ts";
import type { ProgressOptions } from "./progress-options.ts";
import { queueOutdated } from "./queue/queue-outdated.ts";
import { type QueueOptions, type QueueSummary, queuePaths } from "./queue/queue-paths.ts";
import { runWorker, type WorkerOptions, type WorkerSummary } from "./queue/run-worker.ts";
import { type LibrarySearch, type OpenSearchOptions, openSearch } from "./search/open-search.ts";
import { type IndexKind, openSearchIndex } from "./search/search-index.ts";
import { indexFolder, type SearchThreads } from "./search/search-threads.ts";
import { createStillFiles } from "./stills/still-files.ts";
import { chooseWorkerCount } from "./worker-count.ts";

export type LibraryOptions = {
  database: Database;
  /** Folder of caches and of the sample clips; created when missing. */
  dataDir: string;
  /** ffmpeg, or a function that finds it when a video is read for the first time. */
  tools: FfmpegTools | (() => Promise<FfmpegTools>);
  /** A pack that describes the sample clips and contains previews of them. Default: they are read as videos. */
  samplePack?: string | undefined;
  /**
   * Where the index of frames is. `hnsw` needs hnswlib-node, compiled, and `postgres` a PostgreSQL with pgvector.
   * Default: `embedded`.
   */
  index?: IndexKind | undefined;
  /** Threads that describe images and frames; by default one per processor, at most four. */
  engineWorkers?: number | undefined;
  /** Started threads for the first `openSearch`, of the same data folder and index, instead of `engineWorkers`. */
  threads?: SearchThreads | undefined;
  /** Receives messages about errors that were repaired or skipped. */
  onLog?: ((message: string) => void) | undefined;
};

/**
 * Opens the library of indexed videos. Opening is cheap: threads start with the first use that needs them.
 * The caller must close it, and before the database.
 */
export async function openLibrary(options: LibraryOptions) {
  const { database, dataDir, samplePack, threads, index: indexKind = "embedded" } = options;
  const onLog = options.onLog ?? (() => undefined);
  const cacheFolder = indexFolder(dataDir);
  const sampleFolder = join(dataDir, "sample");
  const workers = threads?.workers ?? options.engineWorkers ?? chooseWorkerCount();
  // Several instances share a PostgreSQL, but only one machine has the embedded database.
  const stills = database.kind === "embedded" ? createStillFiles(join(dataDir, "stills")) : database.stills;
  const model = threads?.model ?? (await loadModel());
  let engine = threads?.engine;
  let startedIndex = threads?.index;
  let tools: Promise<FfmpegTools> | undefined;
  const searches = new Set<LibrarySearch>();
  const previews = new Set<Previews>();

  const openIndex = (opened?: Promise<FrameIndex>) =>
    openSearchIndex({ database, model, kind: indexKind, cacheFolder, opened, onLog });
  const getEngine = (): Promise<Engine> => {
    engine ??= openEngine({ model, workers });
    return engine;
  };
  const getTools = (): Promise<FfmpegTools> => {
    tools ??= typeof options.tools === "function" ? options.tools() : Promise.resolve(options.tools);
    return tools;
  };
  const openSamplePack = () =>
    samplePack === undefined
      ? undefined
      : createDescriptionFinder({ file: samplePack, modelId: model.id }, onLog);
  const detectLabels = createLabelDetection({ database, modelId: model.id, onLog });
  const indexParts = {
    database,
    getTools,
    stills,
    openEngine: getEngine,
    modelId: model.id,
    detectLabels,
    onLog,
  };
  const index = async (
    paths: readonly string[],
    o: IndexOptions,
    findDescription?: FindDescription,
  ): Promise<IndexSummary> => {
    // Without ffmpeg nothing but described videos can be indexed.
    if (findDescription === undefined) await getTools();
    const summary = await indexPaths({ ...indexParts, findDescription }, paths, o);
    if (!summary.isStopped) await database.episodes.dropOtherModels(model.id);
    return summary;
  };

  return {
    /** True if this machine has an ffmpeg to read videos. */
    async hasFfmpeg(): Promise<boolean> {
      return await getTools().then(
        () => true,
        (error: unknown) => {
          if (error instanceof FfmpegMissingError) return false;
          throw error;
        },
      );
    },

    /**
     * Synchronises the library with the videos at these paths (files or folders). An unreadable video is
     * counted and does not stop the run. A run that the signal stops returns its summary. Descriptors of an
     * earlier model are deleted when all videos have those of the current one.
     */
    indexPaths: (paths: readonly string[], o: IndexOptions = {}): Promise<IndexSummary> => index(paths, o),

    /**
     * Describes the episodes again whose descriptors are of an earlier version or model; those whose video is
     * missing keep what they have. A run that the signal stops returns its summary, and the next one continues.
     */
    async describeEpisodes(o: DescribeOptions = {}): Promise<DescribeSummary> {
      const summary = await describeEpisodes({ ...indexParts, findDescription: openSamplePack() }, o);
      if (!summary.isStopped) await database.episodes.dropOtherModels(model.id);
      return summary;
    },

    /** Queues the same episodes for workers, which the queue offers after new videos. */
    queueOutdated: (o: Pick<DescribeOptions, "animeId" | "signal"> = {}): Promise<QueueSummary> =>
      queueOutdated(indexParts, o),

    /** The number of episodes that `describeEpisodes` can describe again here, because their videos are at hand. */
    countDescribable: (): Promise<number> => countDescribable(indexParts),

    /** Queues the new and changed videos at these paths for workers. */
    queuePaths: (paths: readonly string[], o: QueueOptions = {}): Promise<QueueSummary> =>
      queuePaths(indexParts, paths, o),

    /**
     * Indexes the videos of the queue until the signal or, with `drain`, until the queue is empty. Throws
     * PathMappingError.
     */
    runWorker: (o: WorkerOptions = {}): Promise<WorkerSummary> => runWorker(indexParts, o),

    /** The videos that wait for workers, and the workers. */
    queue: database.indexQueue,

    /**
     * The numbers of anime and of episodes by state, of episodes whose descriptors are of an earlier version, of
     * queued videos by state, and the workers.
     */
    status: () => readStatus(database, { modelId: model.id, version: descriptorVersion }),

    /**
     * Opens the videos for search; the embedded index without a cache reads all descriptors. Throws
     * IndexUnavailableError.
     */
    async openSearch(o: OpenSearchOptions): Promise<LibrarySearch> {
      const opening = openIndex(startedIndex);
      startedIndex = undefined;
      const index = await opening;
      const [engine] = await Promise.all([getEngine(), index.start(o)]).catch(async (error: unknown) => {
        await index.close();
        throw error;
      });
      const parts = { database, engine, getTools, index, imagesAtOnce: 2 * workers, onLog };
      const search = await openSearch(parts, o);
      searches.add(search);
      return search;
    },

    /** Opens stills and clips, which are cut on demand and cached. */
    openPreviews(o: PreviewsOptions = {}): Previews {
      const parts = {
        database,
        getTools,
        stills,
        modelId: model.id,
        samplePack,
        cacheDir: join(dataDir, "previews"),
        onLog,
      };
      const opened = openPreviews(parts, o);
      previews.add(opened);
      return opened;
    },

    /** Writes indexed episodes without their videos to a new file. Throws PackError, AbortError. */
    exportPack: (file: string, o: ExportOptions = {}): Promise<ExportSummary> =>
      exportPack(indexParts, file, o),

    /** Adds the episodes of a pack. A run that the signal stops returns its summary. Throws PackError. */
    importPack: (source: AsyncIterable<Uint8Array>, o: ImportOptions): Promise<ImportSummary> =>
      importPack({ ...indexParts, model }, source, o),

    /** Returns all anime with their episodes, by title. */
    list: (): Promise<LibraryEntry[]> => listEntries(database),

    /**
     * Returns the anime with this id and all its episodes; for the id of an episode, its anime with that
     * episode alone.
     */
    findEntry: (id: string): Promise<LibraryEntry | undefined> => findEntry(database, id),

    /** Names the indexed videos of a folder, or one video, and returns them as they were. Later runs keep the names. */
    renameFolder: (folder: string, naming: FolderNaming): Promise<EpisodeWithAnime[]> =>
      renameFolder(database, folder, naming),

    /** Removes episodes and returns them. Video files stay, except sample clips. */
    async remove(what: RemovedEpisodes): Promise<EpisodeWithAnime[]> {
      const removed = await removeEpisodes({ database, stills }, what);
      if ("sample" in what) await rm(sampleFolder, { recursive: true, force: true });
      return removed;
    },

    /**
     * Deletes the index cache, or the content of the index in PostgreSQL, and builds it again from the stored
     * descriptors. Those of an earlier model are deleted as after indexing. A running search with an embedded index
     * keeps its own in memory.
     */
    async rebuild(o: ProgressOptions = {}): Promise<{ episodes: number; frames: number }> {
      if (indexKind !== "postgres") await rm(cacheFolder, { recursive: true, force: true });
      const index = await openIndex();
      try {
        await index.rebuild(o);
        const { episodes, frames } = await index.stats();
        await database.episodes.dropOtherModels(model.id);
        return { episodes, frames };
      } finally {
        await index.close();
      }
    },

    /**
     * Checks the consistency of videos, descriptors and the index cache; changes nothing. Throws
     * IndexUnavailableError.
     */
    verify: (o: ProgressOptions = {}): Promise<VerifyReport> =>
      verifyLibrary({ database, model, kind: indexKind, cacheFolder }, o),

    /**
     * Imports metadata from a file of anime-offline-database (JSON or JSON lines). Throws MetadataFileError.
     */
    importMetadata: (file: string, o: ProgressOptions = {}): Promise<MetadataResult> =>
      importOfflineDatabase(database, file, o),

    /** Imports metadata from AniList's GraphQL API. Throws MetadataSyncError, AbortError. */
    syncMetadata: (o: AniListSyncOptions = {}): Promise<MetadataResult> => syncAniList(database, o),

    /**
     * Fetches the covers of the anime that are not stored yet. A cover that cannot be fetched is counted and
     * logged; the next call tries it again. Throws AbortError.
     */
    fetchCovers: (fetchCover: FetchCover, o: { signal?: AbortSignal } = {}): Promise<CoverResult> =>
      fetchCovers(database, fetchCover, { ...o, onLog }),

    /**
     * Copies the sample clips to the data folder and adds them: with the descriptions of the pack, or as
     * videos that are read where the pack has none of their content or model. Existing copies stay, also those of
     * earlier versions. Returns undefined without an effect when the library contains videos of the user, or,
     * on a shared database, the sample clips of another data folder.
     */
    ensureSampleLibrary: (o: SampleLibraryOptions): Promise<IndexSummary | undefined> =>
      ensureSampleLibrary({ database, sampleFolder }, o, (files) =>
        index(files, { isSample: true, onEvent: o.onEvent, signal: o.signal }, openSamplePack()),
      ),

    /** Closes everything that this library opened: searches (and saves their cache), previews and threads. */
    async close(): Promise<void> {
      for (const opened of previews) await opened.close();
      for (const opened of searches) await opened.close();
      await (await engine)?.close();
    },
  };
}

/** The library of indexed videos. */
export type Library = Awaited<ReturnType<typeof openLibrary>>;
