import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";

const count = z.int().min(0);

/** The amount of indexed video and the searches in progress. */
export const ServiceStatus = z
  .object({
    version: z.string().describe("The version of this API process."),
    library: z
      .object({
        anime: count.describe("Anime with indexed episodes."),
        episodes: count.describe("Indexed episodes."),
        frames: count.describe("Their frames."),
        durationSeconds: z.number().min(0).describe("Their duration together."),
        outdated: count.default(0).describe("Those with data of an earlier version, which are less exact."),
      })
      .describe("The indexed video, at most 30 seconds old."),
    searches: z
      .object({
        running: count.describe("Searches in progress."),
        waiting: count.describe("Searches in the queue."),
      })
      .describe("The searches of this process."),
  })
  .describe("The amount of indexed video and the searches in progress.")
  .meta({
    examples: [
      {
        version: "0.1.0",
        library: { anime: 3, episodes: 8, frames: 1_234_567, durationSeconds: 11_482.4, outdated: 0 },
        searches: { running: 1, waiting: 0 },
      },
    ],
  });
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** The amount of indexed video and the searches in progress. */
export const getStatus = defineEndpoint({
  id: "getStatus",
  method: "GET",
  path: "/api/status",
  tag: "Operation",
  summary: "Get the amount of indexed video and the searches in progress",
  security: [],
  replies: { 200: { description: "The figures.", body: ServiceStatus } },
});
