export { Anime, Episode } from "./anime.ts";
export { ApiKeyScope } from "./api-key-scope.ts";
export {
  ApiKey,
  ApiKeyList,
  apiKeyLimit,
  createApiKey,
  deleteApiKey,
  deleteCurrentApiKey,
  LeakedKeyReceipt,
  listApiKeys,
  NewApiKey,
  revokeLeakedApiKey,
} from "./api-keys.ts";
export { ChatPlatform, ChatServer, ChatUser } from "./chat-user.ts";
export {
  Checkout,
  createCheckout,
  listProducts,
  ProductList,
  receiveStripeEvent,
  WebhookReceipt,
} from "./checkout.ts";
export { getCover } from "./covers.ts";
export { Credits, getCredits } from "./credits.ts";
export { defineEndpoint, type Endpoint, type Reply, type Security } from "./endpoint.ts";
export { endpoints } from "./endpoints.ts";
export { AnimeList, findAnime } from "./find-anime.ts";
export { getQuota } from "./get-quota.ts";
export { getHealth, getReadiness, Health, Readiness } from "./health.ts";
export type { OpenApiObject } from "./json-schema.ts";
export {
  LibraryAnime,
  LibraryAnimeList,
  LibraryEpisode,
  LibraryEpisodeList,
  listLibrary,
  listLibraryEpisodes,
} from "./library.ts";
export { LibraryEventReceipt, receiveLibraryEvent } from "./library-events.ts";
export {
  approveLink,
  claimLink,
  createLink,
  denyLink,
  getLink,
  LinkedKey,
  LinkRequest,
  NewLink,
  PendingLink,
} from "./links.ts";
export { listErrors } from "./list-errors.ts";
export { Match, Occurrence, Region } from "./match.ts";
export { callMcp } from "./mcp.ts";
export { describeApi } from "./open-api.ts";
export {
  CreditGrant,
  EpisodeState,
  getOperatorOverview,
  grantCredits,
  listOperatorEpisodes,
  listOperatorUsers,
  OperatorEpisode,
  OperatorEpisodeList,
  OperatorOverview,
  OperatorUser,
  OperatorUserList,
} from "./operator.ts";
export { operatorEndpoints } from "./operator-endpoints.ts";
export {
  editAnime,
  editEpisode,
  getIndexing,
  Indexing,
  listOperatorAnime,
  mergeAnime,
  OperatorAnime,
  OperatorAnimeList,
  QueuedVideos,
  RemovedCount,
  removeAnime,
  removeEpisode,
  retryEpisode,
  startIndexing,
} from "./operator-library.ts";
export {
  getSharedQueue,
  retryQueuedVideos,
  SharedQueue,
  SharedQueueState,
  SharedQueueVideo,
  SharedQueueWorker,
  setQueuePaused,
} from "./operator-queue.ts";
export {
  AuditRecord,
  AuditRecordList,
  BlockedChat,
  BlockedChatList,
  blockChat,
  Correction,
  CorrectionList,
  listAuditRecords,
  listBlockedChats,
  listCorrections,
  settleCorrection,
  unblockChat,
} from "./operator-records.ts";
export { DailyTotals, getDailyTotals } from "./operator-totals.ts";
export { type PagePath, pageRoutes } from "./page-routes.ts";
export { stripBidiControls } from "./plain-text.ts";
export {
  type FoundScene,
  presentAnime,
  presentEpisode,
  presentEpisodeNumber,
  presentMatch,
  type ScenePreviews,
  type StoredAnime,
} from "./present-match.ts";
export { getClip, getSharedStill, getStill, PreviewPaths, PreviewSize } from "./previews.ts";
export { type ErrorCode, Problem, problems } from "./problem.ts";
export { Quota } from "./quota.ts";
export {
  getRankings,
  getSceneRankings,
  RankingEntry,
  RankingPeriod,
  Rankings,
  SceneRankingEntry,
  SceneRankings,
} from "./rankings.ts";
export { getRecentSearches, RecentSearch, RecentSearchList } from "./recent-searches.ts";
export { matchLimit, SearchOutcome, SearchResult, searchAnime } from "./search-anime.ts";
export { Confirmation, confirmSearch, getSearch, StoredSearch, unconfirmSearch } from "./searches.ts";
export { getSite, Site } from "./site.ts";
export { getStatus, ServiceStatus } from "./status.ts";
export { getSurroundings, Surroundings } from "./surroundings.ts";
export { userEndpoints } from "./user-endpoints.ts";
export {
  deleteUserSearch,
  getUserUsage,
  listUserSearches,
  UserSearch,
  UserSearchList,
  UserUsage,
} from "./user-searches.ts";
