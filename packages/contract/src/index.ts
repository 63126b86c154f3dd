export { Anime, Episode } from "./anime/anime.ts";
export { getCover, toCoverPath } from "./anime/covers.ts";
export { AnimeList, findAnime } from "./anime/find-anime.ts";
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
} from "./api-keys/api-keys.ts";
export { ChatPlatform, ChatServer, ChatUser } from "./chats/chat-user.ts";
export {
  Checkout,
  createCheckout,
  listProducts,
  ProductList,
  receiveStripeEvent,
  WebhookReceipt,
} from "./credits/checkout.ts";
export { Credits, getCredits } from "./credits/credits.ts";
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
} from "./device-links/device-links.ts";
export { ApiKeyScope } from "./endpoint/api-key-scope.ts";
export { defineEndpoint, type Endpoint, type Reply, type Security } from "./endpoint/endpoint.ts";
export { listErrors } from "./endpoint/list-errors.ts";
export { stripBidiControls } from "./endpoint/plain-text.ts";
export { type ErrorCode, Problem, problems } from "./endpoint/problem.ts";
export { endpoints } from "./endpoints.ts";
export {
  LibraryAnime,
  LibraryAnimeList,
  LibraryEpisode,
  LibraryEpisodeList,
  listLibrary,
  listLibraryEpisodes,
} from "./library/library.ts";
export { LibraryEventReceipt, receiveLibraryEvent } from "./library/library-events.ts";
export type { OpenApiObject } from "./open-api/json-schema.ts";
export { describeApi } from "./open-api/open-api.ts";
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
} from "./operator/operator.ts";
export { operatorEndpoints } from "./operator/operator-endpoints.ts";
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
} from "./operator/operator-library.ts";
export {
  getSharedQueue,
  retryQueuedVideos,
  SharedQueue,
  SharedQueueState,
  SharedQueueVideo,
  SharedQueueWorker,
  setQueuePaused,
} from "./operator/operator-queue.ts";
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
} from "./operator/operator-records.ts";
export { DailyTotals, getDailyTotals } from "./operator/operator-totals.ts";
export { type PagePath, pageRoutes } from "./page-routes.ts";
export { getClip, getSharedStill, getStill, PreviewPaths, PreviewSize } from "./previews/previews.ts";
export { getQuota } from "./quota/get-quota.ts";
export { Quota } from "./quota/quota.ts";
export {
  getRankings,
  getSceneRankings,
  RankingEntry,
  RankingPeriod,
  Rankings,
  SceneRankingEntry,
  SceneRankings,
} from "./rankings/rankings.ts";
export { Match, Occurrence, Region } from "./searches/match.ts";
export { getRecentSearches, RecentSearch, RecentSearchList } from "./searches/recent-searches.ts";
export { matchLimit, SearchOutcome, SearchResult, searchAnime } from "./searches/search-anime.ts";
export {
  Confirmation,
  confirmSearch,
  getSearch,
  StoredSearch,
  unconfirmSearch,
} from "./searches/searches.ts";
export { getSurroundings, Surroundings } from "./searches/surroundings.ts";
export {
  deleteUserSearch,
  getUserUsage,
  listUserSearches,
  UserSearch,
  UserSearchList,
  UserUsage,
} from "./searches/user-searches.ts";
export { getHealth, getReadiness, Health, Readiness } from "./service/health.ts";
export { callMcp } from "./service/mcp.ts";
export { getSite, Site } from "./service/site.ts";
export { getStatus, ServiceStatus } from "./service/status.ts";
export { userEndpoints } from "./user-endpoints.ts";
