import { z } from "zod";
import { Anime, Episode } from "../anime/anime.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageOf, pageQuery } from "../endpoint/page.ts";
import { titleText, writtenBoolean } from "../endpoint/query.ts";

const count = z.int().min(0);
const access = "For everybody if the operator has published the library, otherwise for administrators only.";
const security = ["guest", "session", "apiKey"] as const;
const includeAdult = writtenBoolean().default(false).describe("Whether anime for adults are included.");

/** An anime of the library and the amount of its indexed video. */
export const LibraryAnime = z
  .object({
    anime: Anime,
    episodeCount: z.int().min(1).describe("Indexed episodes."),
    durationSeconds: z.number().min(0).describe("Their duration together."),
    frameCount: count.describe("Their frames in the index."),
  })
  .describe("An anime of the library and the amount of its indexed video.")
  .meta({
    examples: [{ anime: exampleOf(Anime), episodeCount: 26, durationSeconds: 37_440, frameCount: 215_800 }],
  });
export type LibraryAnime = z.infer<typeof LibraryAnime>;

/** The anime of the library. */
export const LibraryAnimeList = pageOf(LibraryAnime, "The anime of the library.", "By title.");
export type LibraryAnimeList = z.infer<typeof LibraryAnimeList>;

/** An indexed episode. */
export const LibraryEpisode = z
  .object({
    id: z.string().describe("The episode's id."),
    ...Episode.shape,
    durationSeconds: z
      .number()
      .min(0)
      .nullable()
      .describe("The duration of the video; all of it is indexed."),
    frameCount: count.describe("Its frames in the index."),
    indexedAt: z.iso.datetime().nullable().describe("When it was last indexed."),
  })
  .describe("An indexed episode.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0002",
        season: null,
        number: 3,
        title: null,
        durationSeconds: 1435.2,
        frameCount: 8312,
        indexedAt: "2026-11-20T18:00:00.000Z",
      },
    ],
  });
export type LibraryEpisode = z.infer<typeof LibraryEpisode>;

/** The indexed episodes of an anime. */
export const LibraryEpisodeList = pageOf(
  LibraryEpisode,
  "The indexed episodes of an anime.",
  "By season and number.",
);
export type LibraryEpisodeList = z.infer<typeof LibraryEpisodeList>;

/** The anime of the library. */
export const listLibrary = defineEndpoint({
  id: "listLibrary",
  method: "GET",
  path: "/api/library",
  tag: "Discover",
  summary: "List the anime of the library",
  description: access,
  security,
  scope: "search",
  query: pageQuery.extend({
    query: titleText(),
    includeAdult,
  }),
  replies: { 200: { description: "By title.", body: LibraryAnimeList } },
  errors: ["forbidden"],
});

/** The indexed episodes of an anime. */
export const listLibraryEpisodes = defineEndpoint({
  id: "listLibraryEpisodes",
  method: "GET",
  path: "/api/library/{id}/episodes",
  tag: "Discover",
  summary: "List the indexed episodes of an anime",
  description: access,
  security,
  scope: "search",
  params: z.object({ id: opaqueId("The anime's id.") }),
  query: pageQuery.extend({ includeAdult }),
  replies: { 200: { description: "By season and number.", body: LibraryEpisodeList } },
  errors: ["forbidden", "not_found"],
});
