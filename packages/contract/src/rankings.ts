import { z } from "zod";
import { Anime } from "./anime.ts";
import { defineEndpoint } from "./endpoint.ts";
import { exampleOf } from "./example.ts";
import { decimalInteger, writtenBoolean } from "./query.ts";

/** The time over which a ranking counts. */
export const RankingPeriod = z
  .enum(["daily", "weekly", "monthly", "yearly", "all"], "must be daily, weekly, monthly, yearly or all")
  .describe("The last 1, 7, 30 or 365 UTC days including today, or all time.");
export type RankingPeriod = z.infer<typeof RankingPeriod>;

/** An anime's place in a ranking. */
export const RankingEntry = z
  .object({
    rank: z.int().min(1).describe("1 is most searched; equal counts have equal rank."),
    anime: Anime,
    searches: z.int().min(1).describe("Searches in the period that count for this anime."),
  })
  .describe("An anime's place in a ranking.")
  .meta({ examples: [{ rank: 1, anime: exampleOf(Anime), searches: 12 }] });
export type RankingEntry = z.infer<typeof RankingEntry>;

/** The most searched anime of a period. */
export const Rankings = z
  .object({
    period: RankingPeriod,
    from: z.iso
      .datetime()
      .nullable()
      .describe("Where the period starts: midnight (UTC) of its first day; null for `all`."),
    to: z.iso.datetime().describe("Where it ends: the midnight (UTC) that ends today."),
    entries: z.array(RankingEntry).describe("Most searched first; among equals by title."),
  })
  .describe("The most searched anime of a period.")
  .meta({
    examples: [
      {
        period: "weekly",
        from: "2026-11-14T00:00:00.000Z",
        to: "2026-11-21T00:00:00.000Z",
        entries: [exampleOf(RankingEntry)],
      },
    ],
  });
export type Rankings = z.infer<typeof Rankings>;

/** The most searched anime. */
export const getRankings = defineEndpoint({
  id: "getRankings",
  method: "GET",
  path: "/api/anime/rankings",
  tag: "Discover",
  summary: "The most searched anime",
  description:
    "A search counts for the anime of its confirmed match, else of its first match where that is confident, else for none.",
  security: [],
  query: z.object({
    period: RankingPeriod.default("all"),
    limit: decimalInteger({ minimum: 1, maximum: 100 })
      .default(50)
      .describe("The most entries to answer with."),
    includeAdult: writtenBoolean().default(false).describe("Anime for adults too?"),
  }),
  replies: { 200: { description: "The ranking.", body: Rankings } },
  errors: [],
});
