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
import { getClip, getSharedStill, getStill } from "./previews.ts";
import { getRankings, getSceneRankings } from "./rankings.ts";
import { getRecentSearches } from "./recent-searches.ts";
import { searchAnime } from "./search-anime.ts";
import { confirmSearch, getSearch, unconfirmSearch } from "./searches.ts";
import { getSite } from "./site.ts";
import { getStatus } from "./status.ts";
import { getSurroundings } from "./surroundings.ts";
import { deleteUserSearch, getUserUsage, listUserSearches } from "./user-searches.ts";

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
