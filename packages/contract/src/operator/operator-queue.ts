import { z } from "zod";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageFields, pageQuery } from "../endpoint/page.ts";
import { auditedOperation, defineOperatorEndpoint, forAdministrators } from "./operator-endpoint.ts";
import { QueuedVideos } from "./operator-indexing.ts";

const count = z.int().min(0);
const seconds = z.number().min(0);

/** The state of a video of the shared queue. */
export const SharedQueueState = z
  .enum(["waiting", "running", "failed"], "must be waiting, running or failed")
  .describe("A failed video is not tried again by itself.");
export type SharedQueueState = z.infer<typeof SharedQueueState>;

const path = z.string().describe("The path of the video on the machine that queued it.");
const progress = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe("The indexed part, 0 to 1, a few seconds old; null: it is not running.");

/** A video of the shared queue. */
export const SharedQueueVideo = z
  .object({
    id: z.string().describe("The id in the queue."),
    path,
    state: SharedQueueState,
    priority: z.int().describe("Higher numbers are indexed first."),
    attempts: count.describe("Attempts since it was queued, with the current one."),
    problem: z.string().nullable().describe("Why the last attempt failed; null: it did not."),
    queuedAt: z.iso.datetime().describe("When it was queued."),
    dueInSeconds: seconds.describe(
      "The time until the next attempt; 0: it is due, is running or has failed.",
    ),
    worker: z.string().nullable().describe("The worker of a running video."),
    progress,
  })
  .describe("A video of the shared queue.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0021",
        path: "/mnt/anime/Cowboy Bebop - 05.mkv",
        state: "running",
        priority: 0,
        attempts: 1,
        problem: null,
        queuedAt: "2026-11-20T18:00:00.000Z",
        dueInSeconds: 0,
        worker: "worker-1:4711",
        progress: 0.25,
      },
    ],
  });
export type SharedQueueVideo = z.infer<typeof SharedQueueVideo>;

/** A worker of the shared queue. */
export const SharedQueueWorker = z
  .object({
    name: z.string().describe("The host and the id of its process."),
    startedAt: z.iso.datetime().describe("When it started."),
    heartbeatAgeSeconds: seconds.describe("The time since its last heartbeat; it sends one every 5 s."),
    isAlive: z.boolean().describe("Whether the heartbeat is recent."),
    videosDone: count.describe("Videos that it has indexed."),
    failures: count.describe("Failed attempts."),
    hasPreviews: z.boolean().describe("Whether it serves previews of its videos to APIs."),
    videos: z.array(z.object({ path, progress })).describe("The videos that it indexes now."),
  })
  .describe("A worker of the shared queue.")
  .meta({
    examples: [
      {
        name: "worker-1:4711",
        startedAt: "2026-11-20T08:00:00.000Z",
        heartbeatAgeSeconds: 2.1,
        isAlive: true,
        videosDone: 41,
        failures: 1,
        hasPreviews: true,
        videos: [{ path: "/mnt/anime/Cowboy Bebop - 05.mkv", progress: 0.25 }],
      },
    ],
  });
export type SharedQueueWorker = z.infer<typeof SharedQueueWorker>;

/** The queue that workers share, and the workers. */
export const SharedQueue = z
  .object({
    isPaused: z.boolean().describe("Whether workers take no further video."),
    counts: z
      .object({
        waiting: count.describe("Videos that wait, also those of workers that were killed."),
        running: count.describe("Videos that workers index now."),
        failed: count.describe("Videos that are not tried again by themselves."),
      })
      .describe("Videos by state."),
    workers: z.array(SharedQueueWorker).describe("By name; one that was killed is listed for a day."),
    ...pageFields,
    items: z
      .array(SharedQueueVideo)
      .describe("Running ones first, then waiting ones in their order, then failed ones."),
  })
  .describe("The queue that workers share, and the workers.")
  .meta({
    examples: [
      {
        isPaused: false,
        counts: { waiting: 0, running: 1, failed: 0 },
        workers: [exampleOf(SharedQueueWorker)],
        page: 1,
        pageSize: 20,
        total: 1,
        items: [exampleOf(SharedQueueVideo)],
      },
    ],
  });
export type SharedQueue = z.infer<typeof SharedQueue>;

/** The shared queue with a page of its videos. */
export const getSharedQueue = defineOperatorEndpoint({
  id: "getSharedQueue",
  method: "GET",
  path: "/api/operator/queue",
  summary: "Videos of the shared queue, and its workers",
  description: `${forAdministrators} \`koma index --queue\` queues videos, \`koma worker\` indexes them.`,
  query: pageQuery.extend({
    state: SharedQueueState.optional()
      .describe("Only videos in this state.")
      .meta({ examples: ["failed"] }),
  }),
  replies: { 200: { description: "The queue.", body: SharedQueue } },
});

/** Pauses or resumes the shared queue. */
export const setQueuePaused = defineOperatorEndpoint({
  id: "setQueuePaused",
  method: "POST",
  path: "/api/operator/queue",
  summary: "Pause or resume the shared queue",
  description: `${auditedOperation} Running videos are indexed to their end.`,
  json: z
    .object({ isPaused: z.boolean().describe("Whether workers take no further video.") })
    .meta({ examples: [{ isPaused: true }] }),
  isRepeatable: true,
  replies: { 204: { description: "The queue is paused or running." } },
});

/** Puts failed videos back into the shared queue. */
export const retryQueuedVideos = defineOperatorEndpoint({
  id: "retryQueuedVideos",
  method: "POST",
  path: "/api/operator/queue/retry",
  summary: "Try failed videos of the shared queue again",
  description: auditedOperation,
  json: z
    .object({ id: opaqueId("The id of one failed video; without it, all of them.").optional() })
    .meta({ examples: [{ id: "cmi8x2k4q0021" }] }),
  isRepeatable: true,
  replies: { 200: { description: "The number of videos that wait again.", body: QueuedVideos } },
  errors: ["not_found"],
});
