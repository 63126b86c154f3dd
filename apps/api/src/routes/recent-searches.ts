import { getRecentSearches } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { StoredSearches } from "../search/stored-searches.ts";

/** `GET /api/anime/recent-searches`. */
export function registerRecentSearches(
  app: FastifyInstance,
  { searches }: { searches: StoredSearches },
): void {
  registerEndpoint(app, getRecentSearches, async ({ query }) => await searches.listRecent(query));
}
