import { z } from "zod";
import { auditedOperation, defineOperatorEndpoint, forAdministrators } from "./operator-endpoint.ts";

const count = z.int().min(0);

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

/** The progress of indexing. */
export const getIndexing = defineOperatorEndpoint({
  id: "getIndexing",
  method: "GET",
  path: "/api/operator/indexing",
  summary: "Progress of indexing",
  description: forAdministrators,
  replies: { 200: { description: "The state of indexing.", body: Indexing } },
});

/** Indexes a folder below the configured ones. */
export const startIndexing = defineOperatorEndpoint({
  id: "startIndexing",
  method: "POST",
  path: "/api/operator/indexing",
  summary: "Index a folder",
  description:
    `${auditedOperation} Only folders and videos below \`KOMA_LIBRARY_ROOTS\`; links that lead out of them are rejected. ` +
    "Unchanged videos are skipped.",
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
