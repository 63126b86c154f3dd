import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";

/** The response to an event of a media library. */
export const LibraryEventReceipt = z
  .object({ videos: z.int().min(0).describe("Videos that are indexed because of the event.") })
  .describe("The event was accepted.")
  .meta({ examples: [{ videos: 1 }] });
export type LibraryEventReceipt = z.infer<typeof LibraryEventReceipt>;

/** Receives the events of Sonarr and Jellyfin. */
export const receiveLibraryEvent = defineEndpoint({
  id: "receiveLibraryEvent",
  method: "POST",
  path: "/api/webhooks/library",
  tag: "Integrations",
  summary: "Receive an event of Sonarr or Jellyfin",
  description:
    "Indexes new videos below the configured folders. `Download` and `Rename` of Sonarr name the files; `ItemAdded` of Jellyfin does not, " +
    "and all folders are searched for new ones. Other events are accepted and do nothing. The token is a query parameter or the header `X-Koma-Token`.",
  security: [],
  query: z.object({
    token: z
      .string()
      .max(256)
      .optional()
      .describe("The configured token.")
      .meta({ examples: ["q7Zk3vRt9mXw2LpB"] }),
  }),
  headers: z.object({
    "x-koma-token": z
      .string()
      .max(256)
      .optional()
      .describe("The configured token.")
      .meta({ examples: ["q7Zk3vRt9mXw2LpB"] }),
  }),
  raw: {
    contentType: "application/json",
    description: "An event as Sonarr or Jellyfin's webhook plugin sends it.",
    limitBytes: 1024 * 1024,
  },
  replies: { 202: { description: "The event was accepted.", body: LibraryEventReceipt } },
  errors: ["unauthenticated", "forbidden", "not_found"],
});
