export type {
  ApiKeyRow,
  NewApiKeyRow,
  RevokedApiKey,
  SaveKeyResult,
} from "./accounts/api-keys.ts";
export type { AuditEntry, NewAuditEntry } from "./accounts/audit.ts";
export type { AuthAdapter } from "./accounts/auth-adapter.ts";
export type { BlockedChat } from "./accounts/chat-blocks.ts";
export type { ClaimResult, LinkPoll, LinkRequest } from "./accounts/device-links.ts";
export type { SecurityEvent } from "./accounts/security-events.ts";
export type { User } from "./accounts/users.ts";
export { backUpInThread } from "./backup/back-up-in-thread.ts";
export {
  backUpDatabase,
  copyDatabase,
  type DatabaseAddress,
  readBackupHeader,
  restoreDatabase,
  verifyBackup,
} from "./backup/backup.ts";
export { backUpToFolder, listBackups, type StoredBackup } from "./backup/backup-folder.ts";
export { connectDatabase, type Database } from "./connect-database.ts";
export { isDatabaseUnavailable, isDiskFull } from "./connection/database-errors.ts";
export type { ReplicaStatus } from "./connection/open-replicas.ts";
export type { CreditEntry, PurchaseResult } from "./credits/credits.ts";
export type { GuestReservationResult, UserReservationResult } from "./credits/quota.ts";
export type { RefundResult, ReinstatementResult } from "./credits/refunds.ts";
export type { UserQuotaUsage } from "./credits/user-quota-usage.ts";
export {
  AnilistIdTakenError,
  BackupError,
  ClaimLostError,
  CreditLimitError,
  DatabaseLostError,
  DatabaseUnavailableError,
  IndexUnavailableError,
  MigrationError,
  PathTakenError,
} from "./errors.ts";
export type { FrameIndexStore, IndexedEpisodeRows } from "./frame-index/frame-index-store.ts";
export { type DatabaseInspection, inspectDatabase } from "./inspection/inspect-database.ts";
export { inspectReplicas, type ReplicaInspection } from "./inspection/inspect-replicas.ts";
export type { JsonObject, JsonValue } from "./json-value.ts";
export type { Anime, AnimeEdit, AnimeLink, AnimeMetadata } from "./library/anime.ts";
export type { MissingCover } from "./library/covers.ts";
export type { DescriptorVersion, StoredDescriptors } from "./library/descriptors.ts";
export type { EpisodeClaim, PublishedFacts } from "./library/episode-claims.ts";
export type { Episode, EpisodeLabel, EpisodeState, EpisodeWithAnime } from "./library/episode-row.ts";
export type { EpisodeNaming, FileFacts } from "./library/episodes.ts";
export type { LibraryChange } from "./library/library-changes.ts";
export type { IndexedAnime, IndexedEpisode } from "./library/library-contents.ts";
export type { EpisodeContent, StillSetStore } from "./library/stills.ts";
export type { Page } from "./page.ts";
export type { QueueClaim, VideoToQueue } from "./queue/index-queue.ts";
export type { IndexWorker } from "./queue/index-workers.ts";
export type { QueuedVideo, QueueState } from "./queue/queue-lists.ts";
export type { Ranking, RankingPeriod } from "./rankings/rankings.ts";
export type { ConfirmResult, UnconfirmResult } from "./searches/confirmations.ts";
export type { CorrectedScene, Correction } from "./searches/corrections.ts";
export type { IdempotencyState } from "./searches/idempotency.ts";
export {
  type MissingScene,
  type MissingSceneDescriptor,
  type MissingSceneState,
  type MissingSceneStore,
  missingSceneLimit,
} from "./searches/missing-scenes.ts";
export type { RecentSearch } from "./searches/recent-searches.ts";
export type { MakerProof, Search, StoredMatch } from "./searches/search-row.ts";
export type { Percentiles, TimeUnit } from "./searches/search-times.ts";
export type { CallerKind, SearchTotal } from "./searches/search-totals.ts";
export type { SettledSearch } from "./searches/searches.ts";
export type { SearchAging } from "./searches/searches-aging.ts";
export type { AnimeWithCounts, Figures } from "./statistics.ts";
