/** The library of indexed videos: index videos, search images, synchronise the index with the database. */
export { EngineBusyError, ImageError, type ImageErrorCode, imageLimits } from "@koma/engine";
export {
  FfmpegMissingError,
  FfmpegPathError,
  type FfmpegTools,
  findFfmpeg,
  inspectFfmpeg,
  isVideoFile,
  ToolStoppedError,
} from "@koma/media";
export { isBeingWritten } from "./indexing/container-end.ts";
export type { DescribeOptions, DescribeSummary } from "./indexing/describe-episodes.ts";
export {
  type FoundVideo,
  type IgnoredFiles,
  isVideoName,
  videoExtensions,
} from "./indexing/discover-videos.ts";
export type { SampleLibraryOptions } from "./indexing/ensure-sample-library.ts";
export { leaseSeconds as workerLeaseSeconds } from "./indexing/hold-claim.ts";
export type { IndexEvent, IndexOptions, IndexSummary } from "./indexing/index-event.ts";
export { type MappedRoot, PathMappingError } from "./indexing/path-mapping.ts";
export { type NameDoubt, type NamePreview, previewNames } from "./indexing/preview-names.ts";
export { type Library, type LibraryOptions, openLibrary } from "./library.ts";
export type { LibraryEntry } from "./library-entry.ts";
export { inspectIndex } from "./maintenance/inspect-index.ts";
export type { RemovedEpisodes } from "./maintenance/remove-episodes.ts";
export type { FolderNaming } from "./maintenance/rename-folder.ts";
export type { LibraryProblem, VerifyReport } from "./maintenance/verify-library.ts";
export { MetadataSyncError } from "./metadata/anilist-client.ts";
export type { MetadataResult } from "./metadata/apply-metadata.ts";
export type { CoverResult, FetchCover } from "./metadata/fetch-covers.ts";
export { MetadataFileError } from "./metadata/import-offline-database.ts";
export type { AniListSyncOptions } from "./metadata/sync-anilist.ts";
export type { ExportOptions, ExportSummary } from "./pack/export-pack.ts";
export type { ImportOptions, ImportSummary } from "./pack/import-pack.ts";
export { PackError } from "./pack/pack-error.ts";
export {
  type FoundScene,
  presentAnime,
  presentEpisode,
  presentEpisodeNumber,
  presentMatch,
  type ScenePreviews,
  type StoredAnime,
} from "./presentation/present-match.ts";
export { PreviewBusyError, PreviewGoneError, PreviewUnavailableError } from "./previews/preview-errors.ts";
export {
  createPreviewRequests,
  type PreviewRequest,
  PreviewRequestError,
  type PreviewSize,
} from "./previews/preview-requests.ts";
export type {
  ClipOptions,
  FetchPreview,
  PreviewStatus,
  Previews,
  PreviewsOptions,
  StillOptions,
} from "./previews/previews.ts";
export type { ProgressOptions } from "./progress-options.ts";
export type { QueueOptions, QueueSummary } from "./queue/queue-paths.ts";
export type { WorkerOptions, WorkerSummary } from "./queue/run-worker.ts";
export type { LibraryMatch, Occurrence } from "./search/library-match.ts";
export type {
  ImageToSearch,
  LibrarySearch,
  OpenSearchOptions,
  SearchOptions,
  SearchOutcome,
  SearchStatus,
} from "./search/open-search.ts";
export type { IndexKind } from "./search/search-index.ts";
export type { ShotTimes } from "./stills/still-set.ts";
export type { UpstreamResult } from "./upstreams/upstream-result.ts";
export { createUpstreams, type Upstreams } from "./upstreams/upstreams.ts";
export { chooseWorkerCount, readMemoryLimit } from "./worker-count.ts";
