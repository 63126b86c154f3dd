import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";

const count = z.int().min(0);

/** The remaining credits of a user. */
export const Credits = z
  .object({
    remaining: count.describe("Remaining credits, free and purchased; a search costs one."),
    free: z
      .object({
        limit: count.describe("Free credits per day."),
        used: count.describe("Free credits spent today."),
        remaining: count.describe("Free credits left today."),
        resetsAt: z.iso.datetime().describe("The midnight at which the free credits are renewed."),
      })
      .describe("The free credits of the day, which are spent first."),
    purchased: z
      .object({ remaining: count.describe("Remaining purchased credits; they do not expire.") })
      .describe("Purchased and granted credits."),
    hourly: z
      .object({
        limit: count.describe("Searches per hour, free or paid."),
        used: count.describe("Searches in the last 60 minutes."),
        remaining: count.describe("Searches that remain in the hour."),
        resetsAt: z.iso
          .datetime()
          .describe(
            "The time at which the oldest of them is 60 minutes old; without any, the time of this response.",
          ),
      })
      .describe("The hourly limit, which applies in addition to the credits."),
  })
  .describe("The remaining credits of a user.")
  .meta({
    examples: [
      {
        remaining: 17,
        free: { limit: 10, used: 3, remaining: 7, resetsAt: "2026-11-21T00:00:00.000Z" },
        purchased: { remaining: 10 },
        hourly: { limit: 100, used: 3, remaining: 97, resetsAt: "2026-11-20T18:41:09.032Z" },
      },
    ],
  });
export type Credits = z.infer<typeof Credits>;

/** The credits of the signed-in user or of the key's owner. */
export const getCredits = defineEndpoint({
  id: "getCredits",
  method: "GET",
  path: "/api/user/anime-credits",
  tag: "Account",
  summary: "Get the remaining credits",
  security: ["session", "apiKey"],
  scope: "account",
  replies: { 200: { description: "Free and purchased credits, and the hourly limit.", body: Credits } },
});
