export type { Anime, AnimeMetadata, AnimeStore } from "./anime.ts";
export { connectDatabase, type Database } from "./connect-database.ts";
export type { StoredDescriptors } from "./descriptors.ts";
export type { EpisodeClaim, PublishedFacts } from "./episode-claims.ts";
export type {
  Episode,
  EpisodeNaming,
  EpisodeState,
  EpisodeStore,
  EpisodeWithAnime,
  FileFacts,
} from "./episodes.ts";
export { ClaimLostError, DatabaseUnavailableError, MigrationError, PathTakenError } from "./errors.ts";
export type { IdempotencyState, IdempotencyStore } from "./idempotency.ts";
export type { JsonValue } from "./json-value.ts";
export type { LibraryChange, LibraryChangeStore } from "./library-changes.ts";
export type { QuotaAnswer, QuotaStore } from "./quota.ts";
export type { Search, SearchStore } from "./searches.ts";
