import { confirmSearch, getSearch, getSurroundings, unconfirmSearch } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { StoredSearches } from "../search/stored-searches.ts";

/** `GET /api/anime/searches/{id}` and `…/surroundings`, `POST` and `DELETE /api/anime/searches/{id}/confirm`. */
export function registerSearches(app: FastifyInstance, { searches }: { searches: StoredSearches }): void {
  registerEndpoint(app, getSearch, async ({ params, query, caller }) => {
    return await searches.get({ id: params.id, caller, confirmToken: query.confirmToken });
  });

  registerEndpoint(app, getSurroundings, async ({ params, query, caller }) => {
    const { rank, confirmToken } = query;
    return await searches.surround({ id: params.id, caller, confirmToken, rank });
  });

  registerEndpoint(app, confirmSearch, async ({ params, json, caller }) => {
    const { rank, correction, correctedAnimeId, correctedEpisode, confirmToken } = json;
    const corrected = { text: correction, animeId: correctedAnimeId, number: correctedEpisode };
    return await searches.confirm({ id: params.id, caller, confirmToken, rank, corrected });
  });

  registerEndpoint(app, unconfirmSearch, async ({ params, query, caller }) => {
    await searches.unconfirm({ id: params.id, caller, confirmToken: query.confirmToken });
  });
}
