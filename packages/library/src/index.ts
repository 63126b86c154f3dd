export type { IndexEvent, IndexOptions, IndexSummary } from "./indexing/index-event.ts";
export { type Library, type LibraryOptions, openLibrary } from "./library.ts";
export type { LibraryEntry } from "./library-entry.ts";
export { MetadataFileError, type MetadataImportResult } from "./metadata/import-offline-database.ts";
export {
  type AniListSyncOptions,
  type AniListSyncResult,
  MetadataSyncError,
} from "./metadata/sync-anilist.ts";
export {
  type ClipOptions,
  PreviewBusyError,
  PreviewGoneError,
  type PreviewSize,
  type Previews,
  type PreviewsOptions,
  type StillOptions,
} from "./previews/previews.ts";
export type { LibraryMatch } from "./search/library-match.ts";
export type {
  LibrarySearch,
  OpenSearchOptions,
  PictureToSearch,
  SearchOptions,
  SearchOutcome,
} from "./search/open-search.ts";
export type { LibraryProblem, VerifyReport } from "./upkeep/verify-library.ts";
