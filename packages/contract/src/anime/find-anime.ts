import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { decimalInteger, titleText } from "../endpoint/query.ts";
import { Anime } from "./anime.ts";

/** Indexed anime with matching titles. */
export const AnimeList = z
  .object({ items: z.array(Anime).describe("Best fit first.") })
  .describe("Indexed anime, best match first.")
  .meta({ examples: [{ items: [exampleOf(Anime)] }] });
export type AnimeList = z.infer<typeof AnimeList>;

/** Finds indexed anime by any of their titles. */
export const findAnime = defineEndpoint({
  id: "findAnime",
  method: "GET",
  path: "/api/anime",
  tag: "Search",
  summary: "Find indexed anime by title",
  security: [],
  query: z.object({
    query: titleText(),
    limit: decimalInteger({ minimum: 1, maximum: 100 }).default(10).describe("The maximum number of anime."),
    animeId: opaqueId("Only the anime with this id.").optional(),
  }),
  replies: { 200: { description: "The anime found.", body: AnimeList } },
});
