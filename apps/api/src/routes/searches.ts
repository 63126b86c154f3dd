import {
  addUserSearches,
  confirmSearch,
  deleteUserSearch,
  getRecentSearches,
  getSearch,
  getSurroundings,
  getUserUsage,
  listUserSearches,
  unconfirmSearch,
} from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { StoredSearches } from "../search/stored-searches.ts";

/** `/api/anime/searches/{id}` and what is below it, `/api/anime/recent-searches`, `/api/user/searches` and `/api/user/usage`. */
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

  registerEndpoint(app, getRecentSearches, async ({ query }) => await searches.listRecent(query));

  registerEndpoint(app, listUserSearches, async ({ caller, query }) => {
    return await searches.listOwn(caller, query);
  });

  registerEndpoint(app, addUserSearches, async ({ caller, json }) => {
    return { added: await searches.addOwn(caller, json.searches) };
  });

  registerEndpoint(app, getUserUsage, async ({ caller }) => await searches.countOwn(caller));

  registerEndpoint(app, deleteUserSearch, async ({ caller, params }) => {
    await searches.removeOwn(caller, params.id);
  });
}
