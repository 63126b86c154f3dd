import { z } from "zod";
import { Anime } from "../anime/anime.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { decimalInteger, writtenBoolean } from "../endpoint/query.ts";
import { exampleScene, sceneFields } from "../searches/match.ts";

/** The period of a ranking. */
export const RankingPeriod = z
  .enum(["daily", "weekly", "monthly", "yearly", "all"], "must be daily, weekly, monthly, yearly or all")
  .describe("The last 1, 7, 30 or 365 UTC days including today, or all time.");
export type RankingPeriod = z.infer<typeof RankingPeriod>;

/** The position of an anime in a ranking. */
export const RankingEntry = z
  .object({
    rank: z.int().min(1).describe("1 is most searched; equal counts have equal rank."),
    anime: Anime,
    searches: z.int().min(1).describe("Searches in the period that count for this anime."),
  })
  .describe("The position of an anime in a ranking.")
  .meta({ examples: [{ rank: 1, anime: exampleOf(Anime), searches: 12 }] });
export type RankingEntry = z.infer<typeof RankingEntry>;

/** The most searched anime of a period. */
export const Rankings = z
  .object({
    period: RankingPeriod,
    from: z.iso
      .datetime()
      .nullable()
      .describe("The start of the period: midnight (UTC) of its first day; null for `all`."),
    to: z.iso.datetime().describe("The end of the period: the midnight (UTC) that ends today."),
    entries: z.array(RankingEntry).describe("Most searched first, then by title."),
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
  summary: "List the most searched anime",
  description:
    "A search counts for the anime of its confirmed match. Without one, it counts for its first match if that is confident.",
  security: [],
  query: z.object({
    period: RankingPeriod.default("all"),
    limit: decimalInteger({ minimum: 1, maximum: 100 })
      .default(50)
      .describe("The maximum number of entries."),
    includeAdult: writtenBoolean().default(false).describe("Whether anime for adults are included."),
  }),
  replies: { 200: { description: "The ranking.", body: Rankings } },
});

/** A scene and how many people found it. */
export const SceneRankingEntry = z
  .object({
    id: z.string().describe("The id of the latest search."),
    ...sceneFields,
    searches: z.int().min(1).describe("Confirmed public searches; those of one caller count once."),
  })
  .describe("A scene and how many people found it.")
  .meta({ examples: [{ id: "cmi8x2k4q0003", ...exampleScene, searches: 4 }] });
export type SceneRankingEntry = z.infer<typeof SceneRankingEntry>;

/** The most searched scenes. */
export const SceneRankings = z
  .object({ entries: z.array(SceneRankingEntry).describe("Most searched first, then newest.") })
  .describe("The most searched scenes.")
  .meta({ examples: [{ entries: [exampleOf(SceneRankingEntry)] }] });
export type SceneRankings = z.infer<typeof SceneRankings>;

/** The most searched scenes. */
export const getSceneRankings = defineEndpoint({
  id: "getSceneRankings",
  method: "GET",
  path: "/api/anime/rankings/scenes",
  tag: "Discover",
  summary: "List the most searched scenes",
  description:
    "Scenes of public searches that were confirmed in the last 30 days, at most the newest 10,000 searches, without " +
    "anime for adults.",
  security: [],
  query: z.object({
    limit: decimalInteger({ minimum: 1, maximum: 50 }).default(12).describe("The maximum number of entries."),
  }),
  replies: { 200: { description: "The ranking.", body: SceneRankings } },
});
