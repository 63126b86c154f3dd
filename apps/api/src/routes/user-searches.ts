import { addUserSearches, deleteUserSearch, getUserUsage, listUserSearches } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { StoredSearches } from "../search/stored-searches.ts";

/** `GET` and `POST /api/user/searches`, `GET /api/user/usage` and `DELETE /api/user/searches/{id}`. */
export function registerUserSearches(app: FastifyInstance, { searches }: { searches: StoredSearches }): void {
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
