import {
  createApiKey,
  deleteApiKey,
  deleteCurrentApiKey,
  listApiKeys,
  revokeLeakedApiKey,
} from "./api-keys.ts";
import { createCheckout, listProducts, receiveStripeEvent } from "./checkout.ts";
import { getCredits } from "./credits.ts";
import type { Endpoint } from "./endpoint.ts";
import { findAnime } from "./find-anime.ts";
import { getQuota } from "./get-quota.ts";
import { getHealth, getReadiness } from "./health.ts";
import { receiveLibraryEvent } from "./library-events.ts";
import { approveLink, claimLink, createLink, denyLink, getLink } from "./links.ts";
import { callMcp } from "./mcp.ts";
import { getOperatorOverview, grantCredits, listOperatorEpisodes, listOperatorUsers } from "./operator.ts";
import { getClip, getStill } from "./previews.ts";
import { getRankings } from "./rankings.ts";
import { getRecentSearches } from "./recent-searches.ts";
import { searchAnime } from "./search-anime.ts";
import { confirmSearch, getSearch, unconfirmSearch } from "./searches.ts";
import { getSite } from "./site.ts";
import { deleteUserSearch, listUserSearches } from "./user-searches.ts";

/** Every operation of the API. */
export const endpoints = [
  searchAnime,
  getSearch,
  confirmSearch,
  unconfirmSearch,
  findAnime,
  getQuota,
  getRankings,
  getRecentSearches,
  getSite,
  getCredits,
  listUserSearches,
  deleteUserSearch,
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
  listOperatorEpisodes,
  listOperatorUsers,
  grantCredits,
  callMcp,
  receiveLibraryEvent,
  getStill,
  getClip,
  getHealth,
  getReadiness,
] as const satisfies readonly Endpoint[];
