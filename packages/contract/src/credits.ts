import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const count = z.int().min(0);

/** What a user may still spend. */
export const Credits = z
  .object({
    remaining: count.describe("Credits that are left, free and purchased; one pays for one search."),
    free: z
      .object({
        limit: count.describe("Free credits a day."),
        used: count.describe("Of them, spent today."),
        remaining: count.describe("Of them, left today."),
        resetsAt: z.iso.datetime().describe("The midnight at which they start again."),
      })
      .describe("The free credits of the day, which are spent first."),
    purchased: z
      .object({ remaining: count.describe("Purchased credits that are left; they do not expire.") })
      .describe("The credits that were bought or granted."),
    hourly: z
      .object({
        limit: count.describe("Searches an hour, free or paid."),
        used: count.describe("Searches in the last 60 minutes."),
        remaining: count.describe("Searches that the hour still allows."),
        resetsAt: z.iso
          .datetime()
          .describe(
            "When the oldest of them is 60 minutes ago; where there is none, the time of this answer.",
          ),
      })
      .describe("The limit of an hour, which holds beside the credits."),
  })
  .describe("What a user may still spend.")
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
  summary: "How many credits are left",
  security: ["session", "apiKey"],
  replies: { 200: { description: "Free and purchased credits, and the limit of an hour.", body: Credits } },
  errors: [],
});
