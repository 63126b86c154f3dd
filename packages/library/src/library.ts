import type { Database, Episode } from "@koma/database";
import type { FfmpegTools } from "@koma/media";
import type { IndexOptions, IndexSummary } from "./indexing/index-event.ts";
import type { LibraryEntry } from "./library-entry.ts";
import type { MetadataImportResult } from "./metadata/import-offline-database.ts";
import type { AniListSyncOptions, AniListSyncResult } from "./metadata/sync-anilist.ts";
import type { Previews, PreviewsOptions } from "./previews/previews.ts";
import type { LibrarySearch, OpenSearchOptions } from "./search/open-search.ts";
import type { VerifyReport } from "./upkeep/verify-library.ts";

export type LibraryOptions = {
  database: Database;
  /** Folder of caches and of the sample films; made when missing. */
  dataDir: string;
  tools: FfmpegTools;
  /** Threads that describe pictures and frames; by default one per processor, at most four. */
  engineWorkers?: number | undefined;
  /** Pictures that may wait for a thread before EngineBusyError. */
  maxQueued?: number | undefined;
  /** Takes sentences about things that went wrong but were mended or skipped. */
  onNotice?: ((message: string) => void) | undefined;
};

export type Progress = { done: number; total: number };

/**
 * The indexed films as one thing. Opens cheaply: threads start with the first use that needs them. Close it after
 * use, before the database.
 */
export async function openLibrary(_options: LibraryOptions) {
  const missing = (): never => {
    throw new Error("not built yet");
  };
  return {
    /** Brings the library in step with films at these paths (files or folders, walked). Never throws for a bad film. */
    indexPaths: async (_paths: readonly string[], _o: IndexOptions = {}): Promise<IndexSummary> => missing(),
    /** Opens the films for search; the first time, or after its cache was lost, this reads all descriptors. */
    openSearch: async (_o: OpenSearchOptions): Promise<LibrarySearch> => missing(),
    /** Stills and clips, cut on demand and cached. */
    openPreviews: (_o: PreviewsOptions): Previews => missing(),
    /** All anime with their episodes, by title. */
    list: async (): Promise<LibraryEntry[]> => missing(),
    /** The anime with this id with all its episodes, or of an episode's id its anime with it alone. */
    findEntry: async (_id: string): Promise<LibraryEntry | undefined> => missing(),
    /** The film file of an episode; undefined when the episode or the file is gone. */
    findEpisodeFile: async (_episodeId: string): Promise<string | undefined> => missing(),
    /** Forgets episodes (the films stay): by ids of episodes or anime, by files or folders, or the sample films. */
    remove: async (
      _what: { ids: readonly string[] } | { paths: readonly string[] } | { sample: true },
    ): Promise<Episode[]> => missing(),
    /** Throws the index cache away and builds it again from the stored descriptors. */
    rebuild: async (_o?: {
      onProgress?: (progress: Progress) => void;
      signal?: AbortSignal | undefined;
    }): Promise<{ episodes: number; frames: number }> => missing(),
    /** Checks that films, descriptors and the index cache fit together; changes nothing. */
    verify: async (_o?: {
      onProgress?: (progress: Progress) => void;
      signal?: AbortSignal | undefined;
    }): Promise<VerifyReport> => missing(),
    /** Fills metadata from a file in the public form of anime-offline-database (JSON or JSON lines). Throws MetadataFileError. */
    importMetadata: async (
      _file: string,
      _o?: { onProgress?: (progress: Progress) => void; signal?: AbortSignal | undefined },
    ): Promise<MetadataImportResult> => missing(),
    /** Fills metadata from AniList's GraphQL API. Throws MetadataSyncError. */
    syncMetadata: async (_o: AniListSyncOptions): Promise<AniListSyncResult> => missing(),
    /**
     * Draws the sample films and indexes them, unless the library holds other films: then undefined. What is there
     * already is kept.
     */
    ensureSampleLibrary: async (_o?: {
      onDrawn?: (progress: Progress) => void;
      onEvent?: IndexOptions["onEvent"];
      signal?: AbortSignal | undefined;
    }): Promise<{ files: string[]; summary: IndexSummary } | undefined> => missing(),
    close: async (): Promise<void> => {},
  };
}

/** The indexed films as one thing. */
export type Library = Awaited<ReturnType<typeof openLibrary>>;
