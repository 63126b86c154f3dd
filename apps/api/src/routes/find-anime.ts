import { findAnime } from "@koma/contract";
import type { Database } from "@koma/database";
import { presentAnime } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /api/anime`. */
export function registerFindAnime(app: FastifyInstance, options: { database: Database }): void {
  registerEndpoint(app, findAnime, async ({ query }) => {
    const found = await options.database.anime.search(query);
    return { items: found.map(presentAnime) };
  });
}
