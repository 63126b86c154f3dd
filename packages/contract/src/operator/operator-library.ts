import { z } from "zod";
import { Anime } from "../anime/anime.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageOf, pageQuery } from "../endpoint/page.ts";
import { plainText } from "../endpoint/plain-text.ts";
import { boundedInteger, searchText } from "../endpoint/query.ts";
import { EpisodeCounts, EpisodeLabel, OperatorEpisode } from "./operator.ts";
import { auditedOperation, defineOperatorEndpoint, forAdministrators } from "./operator-endpoint.ts";
import { QueuedVideos } from "./operator-indexing.ts";

const count = z.int().min(0);

/** An anime with its episodes counted by state. */
export const OperatorAnime = z
  .object({
    anime: Anime,
    episodes: EpisodeCounts,
    frames: count.describe("Frames of its searchable episodes."),
  })
  .describe("An anime with its episodes counted by state.")
  .meta({
    examples: [
      { anime: exampleOf(Anime), episodes: { pending: 0, indexing: 0, ready: 3, failed: 1 }, frames: 24936 },
    ],
  });
export type OperatorAnime = z.infer<typeof OperatorAnime>;

/** Anime with episodes, by title. */
export const OperatorAnimeList = pageOf(OperatorAnime, "Anime with episodes, by title.", "By title.");
export type OperatorAnimeList = z.infer<typeof OperatorAnimeList>;

/** The number of removed episodes. */
export const RemovedCount = z
  .object({ episodes: count.describe("Removed episodes.") })
  .describe("The number of removed episodes.")
  .meta({ examples: [{ episodes: 12 }] });
export type RemovedCount = z.infer<typeof RemovedCount>;

/** The number of named videos. */
export const NamedCount = z
  .object({ episodes: count.describe("Episodes whose names are fixed now.") })
  .describe("The number of named videos.")
  .meta({ examples: [{ episodes: 12 }] });
export type NamedCount = z.infer<typeof NamedCount>;

/** The anime with episodes. */
export const listOperatorAnime = defineOperatorEndpoint({
  id: "listOperatorAnime",
  method: "GET",
  path: "/api/operator/anime",
  summary: "Anime and the states of their episodes",
  description: forAdministrators,
  query: pageQuery.extend({ query: searchText("A part of a title of the anime.") }),
  replies: { 200: { description: "By title.", body: OperatorAnimeList } },
});

const title = (language: string) =>
  plainText({ longest: 300, mayChangeDirection: true })
    .nullable()
    .describe(`The ${language} title; null: unknown.`);

/** Replaces titles, adult flag and AniList id of an anime. */
export const editAnime = defineOperatorEndpoint({
  id: "editAnime",
  method: "POST",
  path: "/api/operator/anime/{id}",
  summary: "Edit an anime",
  description: `${auditedOperation} Metadata that is imported later keeps the changed titles and flag. After a new AniList id, the next synchronization reads the metadata of that id.`,
  params: z.object({ id: opaqueId("The anime's id.") }),
  json: z
    .object({
      titleRomaji: title("romanized"),
      titleEnglish: title("English"),
      titleNative: title("native"),
      isAdult: z.boolean().describe("For adults only."),
      anilistId: boundedInteger(1, 2_147_483_647)
        .nullable()
        .optional()
        .describe("The id on AniList; null: unknown; omitted: as it is. Two anime cannot have the same id."),
    })
    .refine(
      ({ titleRomaji, titleEnglish, titleNative }) => (titleRomaji ?? titleEnglish ?? titleNative) !== null,
      { message: "at least one title is needed", path: ["titleRomaji"] },
    )
    .meta({
      examples: [
        {
          titleRomaji: "Cowboy Bebop",
          titleEnglish: null,
          titleNative: "カウボーイビバップ",
          isAdult: false,
        },
      ],
    }),
  isRepeatable: true,
  replies: { 200: { description: "The anime after the edit.", body: Anime } },
  errors: ["not_found"],
});

/** Merges an anime into another one. */
export const mergeAnime = defineOperatorEndpoint({
  id: "mergeAnime",
  method: "POST",
  path: "/api/operator/anime/{id}/merge",
  summary: "Merge two anime",
  description:
    `${auditedOperation} Episodes, file name assignments, search counts and searches move to the other anime in one ` +
    "transaction. A repeated request changes nothing. The id of the merged anime stays valid.",
  params: z.object({ id: opaqueId("The id of the anime that is merged.") }),
  json: z
    .object({ intoId: opaqueId("The id of the anime that remains.") })
    .meta({ examples: [{ intoId: "cmi8x2k4q0007" }] }),
  isRepeatable: true,
  replies: { 200: { description: "The remaining anime.", body: Anime } },
  errors: ["not_found"],
});

/** Removes an anime with its episodes. */
export const removeAnime = defineOperatorEndpoint({
  id: "removeAnime",
  method: "DELETE",
  path: "/api/operator/anime/{id}",
  summary: "Remove an anime with all its episodes",
  description: `${auditedOperation} The video files stay; indexing their folder again adds them again.`,
  params: z.object({ id: opaqueId("The anime's id.") }),
  replies: { 200: { description: "The number of removed episodes.", body: RemovedCount } },
  errors: ["not_found"],
});

/** Replaces season, number and title of an episode. */
export const editEpisode = defineOperatorEndpoint({
  id: "editEpisode",
  method: "POST",
  path: "/api/operator/episodes/{id}",
  summary: "Edit an episode",
  description: `${auditedOperation} Indexing the video again keeps the edit.`,
  params: z.object({ id: opaqueId("The episode's id.") }),
  json: z
    .object({
      season: boundedInteger(0, 999).nullable().describe("The season; null: unknown."),
      number: plainText({ longest: 20 })
        .nullable()
        .describe("The number, or a text in its place: `OVA 2`; null: unknown."),
      title: plainText({ longest: 300, mayChangeDirection: true })
        .nullable()
        .describe("The title of the episode; null: unknown."),
    })
    .meta({ examples: [{ season: 1, number: "3", title: null }] }),
  isRepeatable: true,
  replies: { 200: { description: "The episode after the edit.", body: OperatorEpisode } },
  errors: ["not_found"],
});

/** Replaces the named parts of an episode. */
export const labelEpisode = defineOperatorEndpoint({
  id: "labelEpisode",
  method: "POST",
  path: "/api/operator/episodes/{id}/labels",
  summary: "Name the opening, the ending and other parts of an episode",
  description: `${auditedOperation} Detection keeps the labels, also when there are none.`,
  params: z.object({ id: opaqueId("The episode's id.") }),
  json: z
    .object({
      labels: z
        .array(EpisodeLabel.refine(({ from, to }) => from < to, { message: "must end later", path: ["to"] }))
        .max(20, "must be at most 20")
        .describe("All named parts; they replace the known ones."),
    })
    .meta({ examples: [{ labels: [exampleOf(EpisodeLabel)] }] }),
  isRepeatable: true,
  replies: { 200: { description: "The episode with its labels.", body: OperatorEpisode } },
  errors: ["not_found"],
});

/** Names all videos of a folder. */
export const nameFolder = defineOperatorEndpoint({
  id: "nameFolder",
  method: "POST",
  path: "/api/operator/episodes/{id}/folder",
  summary: "Name the videos of a folder",
  description: `${auditedOperation} It names all indexed videos in the folder of this episode's video and its subfolders. Omitted fields stay as they are, and indexing the videos again keeps the names.`,
  params: z.object({ id: opaqueId("The id of an episode in the folder.") }),
  json: z
    .object({
      title: plainText({ longest: 300, mayChangeDirection: true })
        .optional()
        .describe("The title of the anime, which is created if there is none."),
      season: boundedInteger(0, 999).optional().describe("The season."),
      firstEpisode: boundedInteger(0, 9999)
        .optional()
        .describe("The number of the first video; the others follow in the order of their names."),
    })
    .meta({ examples: [{ title: "Lantern Road", season: 2, firstEpisode: 13 }] }),
  isRepeatable: true,
  replies: { 200: { description: "The number of named videos.", body: NamedCount } },
  errors: ["not_found"],
});

/** Indexes the video of an episode again. */
export const retryEpisode = defineOperatorEndpoint({
  id: "retryEpisode",
  method: "POST",
  path: "/api/operator/episodes/{id}/retry",
  summary: "Index a failed or changed video again",
  description: auditedOperation,
  params: z.object({ id: opaqueId("The episode's id.") }),
  isRepeatable: true,
  replies: { 202: { description: "The video waits for indexing.", body: QueuedVideos } },
  errors: ["not_found"],
});

/** Removes an episode. */
export const removeEpisode = defineOperatorEndpoint({
  id: "removeEpisode",
  method: "DELETE",
  path: "/api/operator/episodes/{id}",
  summary: "Remove an episode",
  description: `${auditedOperation} The video file stays; indexing its folder again adds it again.`,
  params: z.object({ id: opaqueId("The episode's id.") }),
  replies: { 204: { description: "The episode is removed." } },
  errors: ["not_found"],
});
