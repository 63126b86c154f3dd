import {
  createApiKey,
  deleteApiKey,
  deleteCurrentApiKey,
  listApiKeys,
  revokeLeakedApiKey,
} from "./api-keys.ts";
import { createCheckout, listProducts, receiveStripeEvent } from "./checkout.ts";
import { getCover } from "./covers.ts";
import { getCredits } from "./credits.ts";
import type { Endpoint } from "./endpoint.ts";
import { findAnime } from "./find-anime.ts";
import { getQuota } from "./get-quota.ts";
import { getHealth, getReadiness } from "./health.ts";
import { listLibrary, listLibraryEpisodes } from "./library.ts";
import { receiveLibraryEvent } from "./library-events.ts";
import { approveLink, claimLink, createLink, denyLink, getLink } from "./links.ts";
import { callMcp } from "./mcp.ts";
import { getOperatorOverview, grantCredits, listOperatorEpisodes, listOperatorUsers } from "./operator.ts";
import {
  editAnime,
  editEpisode,
  getIndexing,
  listOperatorAnime,
  mergeAnime,
  removeAnime,
  removeEpisode,
  retryEpisode,
  startIndexing,
} from "./operator-library.ts";
import { getSharedQueue, retryQueuedVideos, setQueuePaused } from "./operator-queue.ts";
import {
  blockChat,
  listAuditRecords,
  listBlockedChats,
  listCorrections,
  settleCorrection,
  unblockChat,
} from "./operator-records.ts";
import { getDailyTotals } from "./operator-totals.ts";
import { getClip, getSharedStill, getStill } from "./previews.ts";
import { getRankings, getSceneRankings } from "./rankings.ts";
import { getRecentSearches } from "./recent-searches.ts";
import { searchAnime } from "./search-anime.ts";
import { confirmSearch, getSearch, unconfirmSearch } from "./searches.ts";
import { getSite } from "./site.ts";
import { getStatus } from "./status.ts";
import { getSurroundings } from "./surroundings.ts";
import { deleteUserSearch, getUserUsage, listUserSearches } from "./user-searches.ts";

/** Every operation of the API. */
export const endpoints = [
  searchAnime,
  getSearch,
  getSurroundings,
  confirmSearch,
  unconfirmSearch,
  findAnime,
  getQuota,
  getRankings,
  getSceneRankings,
  getRecentSearches,
  listLibrary,
  listLibraryEpisodes,
  getSite,
  getCredits,
  listUserSearches,
  deleteUserSearch,
  getUserUsage,
  listApiKeys,
  createApiKey,
  deleteCurrentApiKey,
  deleteApiKey,
  revokeLeakedApiKey,
  createLink,
  claimLink,
  getLink,
  approveLink,
  denyLink,
  listProducts,
  createCheckout,
  receiveStripeEvent,
  getOperatorOverview,
  getDailyTotals,
  listOperatorEpisodes,
  editEpisode,
  retryEpisode,
  removeEpisode,
  listOperatorAnime,
  editAnime,
  mergeAnime,
  removeAnime,
  getIndexing,
  startIndexing,
  getSharedQueue,
  setQueuePaused,
  retryQueuedVideos,
  listOperatorUsers,
  grantCredits,
  listCorrections,
  settleCorrection,
  listBlockedChats,
  blockChat,
  unblockChat,
  listAuditRecords,
  callMcp,
  receiveLibraryEvent,
  getStill,
  getSharedStill,
  getClip,
  getCover,
  getHealth,
  getReadiness,
  getStatus,
] as const satisfies readonly Endpoint[];
