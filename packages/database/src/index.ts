export type { Anime, AnimeMetadata, AnimeStore } from "./anime.ts";
export { connectDatabase, type Database } from "./connect-database.ts";
export type {
  Episode,
  EpisodeClaim,
  EpisodeNaming,
  EpisodeState,
  EpisodeStore,
  FileFacts,
} from "./episodes.ts";
export { ClaimLostError, DatabaseUnavailableError, MigrationError, PathTakenError } from "./errors.ts";
export type { IdempotencyState, IdempotencyStore } from "./idempotency.ts";
export type { LibraryChange, LibraryChangeStore } from "./library-changes.ts";
export type { QuotaAnswer, QuotaStore } from "./quota.ts";
export type { JsonValue, Search, SearchStore } from "./searches.ts";
