import { getCover } from "@koma/contract";
import type { Database } from "@koma/database";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /previews/cover/{animeId}/{file}`. */
export function registerCovers(
  app: FastifyInstance,
  { database }: { database: Pick<Database, "covers"> },
): void {
  registerEndpoint(app, getCover, async ({ params, reply }) => {
    const bytes = await database.covers.read(params.animeId, params.file.replace(/\.webp$/, ""));
    if (bytes === undefined) throw new ApiError("not_found", "This cover does not exist.");
    reply
      .type("image/webp")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(Buffer.from(bytes));
  });
}
