import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";

/** The path of the cover of an anime; null without a stored cover. */
export function toCoverPath(anime: { id: string; coverVersion?: string | null }): string | null {
  return anime.coverVersion ? `/previews/cover/${anime.id}/${anime.coverVersion}.webp` : null;
}

/** The cover of an anime, at the `coverPath` of the anime. */
export const getCover = defineEndpoint({
  id: "getCover",
  method: "GET",
  path: "/previews/cover/{animeId}/{file}",
  tag: "Previews",
  summary: "Get the cover of an anime",
  description:
    "The address is the `coverPath` of an anime. It changes with the cover, so it can be cached without a limit.",
  security: [],
  params: z.object({
    animeId: opaqueId("The anime's id."),
    file: z
      .string()
      .regex(/^[0-9a-f]{16}\.webp$/, "is not the version of a cover")
      .describe("The version of the cover, `.webp`.")
      .meta({ examples: ["9f86d081884c7d65.webp"] }),
  }),
  replies: { 200: { description: "The cover, at most 240 x 360 pixels.", contentType: "image/webp" } },
  errors: ["not_found"],
});
