import { getCover } from "./anime/covers.ts";
import { findAnime } from "./anime/find-anime.ts";
import {
  createApiKey,
  deleteApiKey,
  deleteCurrentApiKey,
  listApiKeys,
  revokeLeakedApiKey,
} from "./api-keys/api-keys.ts";
import { createCheckout, listProducts, receiveStripeEvent } from "./credits/checkout.ts";
import { getCredits } from "./credits/credits.ts";
import { approveLink, claimLink, createLink, denyLink, getLink } from "./device-links/device-links.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { listLibrary, listLibraryEpisodes } from "./library/library.ts";
import { receiveLibraryEvent } from "./library/library-webhooks.ts";
import { getClip, getSharedStill, getStill } from "./previews/previews.ts";
import { getQuota } from "./quota/get-quota.ts";
import { getRankings, getSceneRankings } from "./rankings/rankings.ts";
import { getRecentSearches } from "./searches/recent-searches.ts";
import { searchAnime } from "./searches/search-anime.ts";
import { confirmSearch, getSearch, unconfirmSearch } from "./searches/searches.ts";
import { getSurroundings } from "./searches/surroundings.ts";
import {
  addUserSearches,
  deleteUserSearch,
  getUserUsage,
  listUserSearches,
} from "./searches/user-searches.ts";
import { getHealth, getReadiness } from "./service/health.ts";
import { callMcp } from "./service/mcp.ts";
import { getSite } from "./service/site.ts";
import { getStatus } from "./service/status.ts";

/** The operations that do not need an administrator. */
export const userEndpoints = [
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
  addUserSearches,
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
