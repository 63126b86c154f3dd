import { getRankings, getSceneRankings } from "@koma/contract";
import type { Database } from "@koma/database";
import { presentAnime } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { StoredSearches } from "../search/stored-searches.ts";

const dayMs = 86_400_000;

/** `GET /api/anime/rankings` and `/api/anime/rankings/scenes`. */
export function registerRankings(
  app: FastifyInstance,
  options: { database: Database; searches: StoredSearches; now: () => Date },
): void {
  registerEndpoint(app, getRankings, async ({ query }) => {
    const { from, to, entries } = await options.database.rankings.list({ ...query, at: options.now() });
    return {
      period: query.period,
      from: from === null ? null : new Date(from).toISOString(),
      to: new Date(Date.parse(to) + dayMs).toISOString(),
      entries: entries.map((entry) => ({ ...entry, anime: presentAnime(entry.anime) })),
    };
  });

  registerEndpoint(app, getSceneRankings, async ({ query }) => await options.searches.rankScenes(query));
}
