import { z } from "zod";
import { Anime } from "../anime/anime.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageFields, pageQuery } from "../endpoint/page.ts";
import { plainText } from "../endpoint/plain-text.ts";
import { EpisodeCounts, OperatorEpisode } from "./operator.ts";

const count = z.int().min(0);
const tag = "Operator";
const description = "For administrators only: `koma user admin <user>`.";
const audited = `${description} The audit log names the administrator.`;

const titleQuery = z
  .string()
  .regex(/^\P{Cc}{0,200}$/u, "must have at most 200 characters, none of them a control character")
  .default("")
  .describe("A part of a title of the anime.");

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
export const OperatorAnimeList = z
  .object({ ...pageFields, items: z.array(OperatorAnime).describe("By title.") })
  .describe("Anime with episodes, by title.")
  .meta({ examples: [{ page: 1, pageSize: 20, total: 1, items: [exampleOf(OperatorAnime)] }] });
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

/** The number of videos that wait for indexing because of a request. */
export const QueuedVideos = z
  .object({ videos: count.describe("Videos that are indexed because of the request.") })
  .describe("Videos wait for indexing.")
  .meta({ examples: [{ videos: 12 }] });
export type QueuedVideos = z.infer<typeof QueuedVideos>;

/** The state of indexing. */
export const Indexing = z
  .object({
    folders: z
      .array(z.string())
      .describe("The folders of `KOMA_LIBRARY_ROOTS`; empty: this API indexes no folders."),
    hasFfmpeg: z.boolean().describe("Whether this API can read videos."),
    waiting: count.describe("Videos that wait in this process."),
    run: z
      .object({
        files: count.describe("Videos of the run."),
        done: count.describe("Videos that are indexed, skipped or failed."),
      })
      .nullable()
      .describe("The run of this process; null: none."),
    lastRun: z
      .object({
        endedAt: z.iso.datetime().describe("When it ended."),
        indexed: count.describe("Indexed videos."),
        moved: count.describe("Videos that were found at a new path."),
        skipped: count.describe("Unchanged videos."),
        failed: count.describe("Failed videos."),
        problem: z.string().nullable().describe("Why the run stopped early; null: it did not."),
      })
      .nullable()
      .describe("The last run of this process; null: none since its start."),
    claims: z
      .array(
        z.object({
          fileName: z.string().describe("The file name of the video."),
          worker: z.string().describe("Host and id of the process that indexes it."),
          fraction: z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .describe("The indexed part, 0 to 1; null for another process."),
        }),
      )
      .describe("The videos that all processes index now."),
  })
  .describe("The state of indexing.")
  .meta({
    examples: [
      {
        folders: ["/media/anime"],
        hasFfmpeg: true,
        waiting: 0,
        run: { files: 12, done: 4 },
        lastRun: null,
        claims: [{ fileName: "Cowboy Bebop - 05.mkv", worker: "server 4711", fraction: 0.25 }],
      },
    ],
  });
export type Indexing = z.infer<typeof Indexing>;

/** The anime with episodes. */
export const listOperatorAnime = defineEndpoint({
  id: "listOperatorAnime",
  method: "GET",
  path: "/api/operator/anime",
  tag,
  summary: "Anime and the states of their episodes",
  description,
  security: ["admin"],
  query: pageQuery.extend({ query: titleQuery }),
  replies: { 200: { description: "By title.", body: OperatorAnimeList } },
  errors: [],
});

const title = (language: string) =>
  plainText({ longest: 300, mayChangeDirection: true })
    .nullable()
    .describe(`The ${language} title; null: unknown.`);

/** Replaces the titles and the adult flag of an anime. */
export const editAnime = defineEndpoint({
  id: "editAnime",
  method: "POST",
  path: "/api/operator/anime/{id}",
  tag,
  summary: "Edit an anime",
  description: `${audited} Metadata that is imported later keeps the changed fields.`,
  security: ["admin"],
  params: z.object({ id: opaqueId("The anime's id.") }),
  json: z
    .object({
      titleRomaji: title("romanized"),
      titleEnglish: title("English"),
      titleNative: title("native"),
      isAdult: z.boolean().describe("For adults only."),
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
export const mergeAnime = defineEndpoint({
  id: "mergeAnime",
  method: "POST",
  path: "/api/operator/anime/{id}/merge",
  tag,
  summary: "Merge two anime",
  description:
    `${audited} Episodes, file name assignments, search counts and searches move to the other anime in one ` +
    "transaction. A repeated request changes nothing. The id of the merged anime stays valid.",
  security: ["admin"],
  params: z.object({ id: opaqueId("The id of the anime that is merged.") }),
  json: z
    .object({ intoId: opaqueId("The id of the anime that remains.") })
    .meta({ examples: [{ intoId: "cmi8x2k4q0007" }] }),
  isRepeatable: true,
  replies: { 200: { description: "The remaining anime.", body: Anime } },
  errors: ["not_found"],
});

/** Removes an anime with its episodes. */
export const removeAnime = defineEndpoint({
  id: "removeAnime",
  method: "DELETE",
  path: "/api/operator/anime/{id}",
  tag,
  summary: "Remove an anime with all its episodes",
  description: `${audited} The video files stay; indexing their folder again adds them again.`,
  security: ["admin"],
  params: z.object({ id: opaqueId("The anime's id.") }),
  replies: { 200: { description: "The number of removed episodes.", body: RemovedCount } },
  errors: ["not_found"],
});

/** Replaces season, number and title of an episode. */
export const editEpisode = defineEndpoint({
  id: "editEpisode",
  method: "POST",
  path: "/api/operator/episodes/{id}",
  tag,
  summary: "Edit an episode",
  description: `${audited} Indexing the video again keeps the edit.`,
  security: ["admin"],
  params: z.object({ id: opaqueId("The episode's id.") }),
  json: z
    .object({
      season: z
        .int()
        .min(0, "must be at least 0")
        .max(999, "must be at most 999")
        .nullable()
        .describe("The season; null: unknown."),
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

/** Names all videos of a folder. */
export const nameFolder = defineEndpoint({
  id: "nameFolder",
  method: "POST",
  path: "/api/operator/episodes/{id}/folder",
  tag,
  summary: "Name the videos of a folder",
  description: `${audited} It names all indexed videos in the folder of this episode's video and its subfolders. Omitted fields stay as they are, and indexing the videos again keeps the names.`,
  security: ["admin"],
  params: z.object({ id: opaqueId("The id of an episode in the folder.") }),
  json: z
    .object({
      title: plainText({ longest: 300, mayChangeDirection: true })
        .optional()
        .describe("The title of the anime, which is created if there is none."),
      season: z
        .int()
        .min(0, "must be at least 0")
        .max(999, "must be at most 999")
        .optional()
        .describe("The season."),
      firstEpisode: z
        .int()
        .min(0, "must be at least 0")
        .max(9999, "must be at most 9999")
        .optional()
        .describe("The number of the first video; the others follow in the order of their names."),
    })
    .meta({ examples: [{ title: "Lantern Road", season: 2, firstEpisode: 13 }] }),
  isRepeatable: true,
  replies: { 200: { description: "The number of named videos.", body: NamedCount } },
  errors: ["not_found"],
});

/** Indexes the video of an episode again. */
export const retryEpisode = defineEndpoint({
  id: "retryEpisode",
  method: "POST",
  path: "/api/operator/episodes/{id}/retry",
  tag,
  summary: "Index a failed or changed video again",
  description: audited,
  security: ["admin"],
  params: z.object({ id: opaqueId("The episode's id.") }),
  isRepeatable: true,
  replies: { 202: { description: "The video waits for indexing.", body: QueuedVideos } },
  errors: ["not_found"],
});

/** Removes an episode. */
export const removeEpisode = defineEndpoint({
  id: "removeEpisode",
  method: "DELETE",
  path: "/api/operator/episodes/{id}",
  tag,
  summary: "Remove an episode",
  description: `${audited} The video file stays; indexing its folder again adds it again.`,
  security: ["admin"],
  params: z.object({ id: opaqueId("The episode's id.") }),
  replies: { 204: { description: "The episode is removed." } },
  errors: ["not_found"],
});

/** The progress of indexing. */
export const getIndexing = defineEndpoint({
  id: "getIndexing",
  method: "GET",
  path: "/api/operator/indexing",
  tag,
  summary: "Progress of indexing",
  description,
  security: ["admin"],
  replies: { 200: { description: "The state of indexing.", body: Indexing } },
  errors: [],
});

/** Indexes a folder below the configured ones. */
export const startIndexing = defineEndpoint({
  id: "startIndexing",
  method: "POST",
  path: "/api/operator/indexing",
  tag,
  summary: "Index a folder",
  description:
    `${audited} Only folders and videos below \`KOMA_LIBRARY_ROOTS\`; links that lead out of them are rejected. ` +
    "Unchanged videos are skipped.",
  security: ["admin"],
  json: z
    .object({
      path: z
        .string()
        .min(1, "must not be empty")
        .max(4096, "must have at most 4096 characters")
        .optional()
        .describe("The absolute path of a folder or a video; without it, all configured folders."),
    })
    .meta({ examples: [{ path: "/media/anime/Cowboy Bebop" }] }),
  isRepeatable: true,
  replies: { 202: { description: "The videos wait for indexing.", body: QueuedVideos } },
  errors: ["forbidden", "not_found"],
});
