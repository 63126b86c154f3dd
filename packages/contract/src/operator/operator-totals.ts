import { z } from "zod";
import { defineOperatorEndpoint, forAdministrators } from "./operator-endpoint.ts";

const count = z.int().min(0);

/** The totals of each of the last 30 days, and the confirmations of the last 12 weeks. */
export const DailyTotals = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date().describe("The UTC day."),
          outcomes: z
            .object({
              found: count.describe("The first match is the scene."),
              uncertain: count.describe("The first match may be the scene."),
              notInLibrary: count.describe("The scene is most likely not in the library."),
              failed: count.describe(
                "Searches without a result, such as those with unreadable images. Refused requests do not count.",
              ),
            })
            .describe("Searches by outcome."),
          callers: z
            .object({
              guest: count.describe("Searches without credentials."),
              session: count.describe("Searches of signed-in users."),
              key: count.describe("Searches with API keys of users."),
              bot: count.describe("Searches with API keys of bots, also for chat users."),
            })
            .describe("The same searches by kind of caller."),
          indexedEpisodes: count.describe("Episodes of the library that were last indexed on this day."),
        }),
      )
      .describe("The last 30 UTC days including today, oldest first."),
    weeks: z
      .array(
        z.object({
          firstDay: z.iso.date().describe("The Monday of the week in UTC."),
          right: count.describe("Searches of which the caller confirmed the first match."),
          wrong: count.describe("Searches of which the caller confirmed another match, or none."),
        }),
      )
      .describe(
        "The confirmed searches whose first match was confident, of the last 12 weeks including the current one, oldest first.",
      ),
  })
  .describe("Searches and indexed episodes per day.")
  .meta({
    examples: [
      {
        days: [
          {
            day: "2026-11-20",
            outcomes: { found: 21, uncertain: 4, notInLibrary: 5, failed: 1 },
            callers: { guest: 12, session: 9, key: 3, bot: 7 },
            indexedEpisodes: 8,
          },
        ],
        weeks: [{ firstDay: "2026-11-16", right: 14, wrong: 1 }],
      },
    ],
  });
export type DailyTotals = z.infer<typeof DailyTotals>;

/** The totals per day. */
export const getDailyTotals = defineOperatorEndpoint({
  id: "getDailyTotals",
  method: "GET",
  path: "/api/operator/daily-totals",
  summary: "Searches and indexed episodes per day",
  description: forAdministrators,
  replies: { 200: { description: "The last 30 days and 12 weeks.", body: DailyTotals } },
});
