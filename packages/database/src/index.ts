export type { Anime, AnimeMetadata, AnimeStore } from "./anime.ts";
export type { ApiKeyStore, NewApiKeyRow, SaveKeyResult } from "./api-keys.ts";
export type { AttemptStore } from "./attempts.ts";
export type { AuthAdapter } from "./auth-adapter.ts";
export type { BlockedChat, ChatBlockStore } from "./chat-blocks.ts";
export type { ConfirmResult, UnconfirmResult } from "./confirmations.ts";
export { connectDatabase, type Database } from "./connect-database.ts";
export type { CreditEntry, CreditStore, PurchaseResult } from "./credits.ts";
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
export type { JsonObject, JsonValue } from "./json-value.ts";
export type { LibraryChange, LibraryChangeStore } from "./library-changes.ts";
export type { ClaimResult, LinkPoll, LinkRequest, LinkStore } from "./links.ts";
export type { Figures, OperationStore } from "./operations.ts";
export type { PaymentStore } from "./payments.ts";
export type { GuestReservationResult, QuotaStore, UserReservationResult } from "./quota.ts";
export type { Ranking, RankingPeriod, RankingStore } from "./rankings.ts";
export type { RecentSearch } from "./recent-searches.ts";
export type { RefundResult } from "./refunds.ts";
export type { MakerProof, Search, StoredMatch } from "./search-row.ts";
export type { SearchStore, SettledSearch } from "./searches.ts";
export type { SearchAging } from "./searches-aging.ts";
export type { UserQuotaUsage } from "./user-quota-usage.ts";
export type { User, UserStore } from "./users.ts";
