import { findAnime } from "@koma/contract";
import type { Database } from "@koma/database";
import { presentAnime } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /api/anime`. */
export function registerFindAnime(app: FastifyInstance, options: { database: Database }): void {
  registerEndpoint(app, findAnime, async ({ query: { animeId, ...query } }) => {
    const { anime } = options.database;
    const found =
      animeId === undefined ? await anime.search(query) : [...(await anime.resolve([animeId])).values()];
    return { items: found.map(presentAnime) };
  });
}
