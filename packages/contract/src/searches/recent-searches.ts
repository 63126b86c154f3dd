import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { decimalInteger } from "../endpoint/query.ts";
import { exampleScene, sceneFields } from "./match.ts";

/** A scene of a confirmed public search. */
export const RecentSearch = z
  .object({
    id: z.string().describe("The search's id."),
    ...sceneFields,
    confirmedAt: z.iso.datetime().describe("When the match was confirmed."),
  })
  .describe("A scene that a search found. It never contains the user or the image.")
  .meta({
    examples: [{ id: "cmi8x2k4q0003", ...exampleScene, confirmedAt: "2026-11-20T18:03:21.114Z" }],
  });
export type RecentSearch = z.infer<typeof RecentSearch>;

/** Recently confirmed public searches. */
export const RecentSearchList = z
  .object({
    total: z.int().min(0).describe("The number of all items."),
    limit: z.int().min(1).describe("The requested maximum number of items."),
    offset: z.int().min(0).describe("The number of newer items that were skipped."),
    items: z.array(RecentSearch).describe("Newest first."),
  })
  .describe("Recently confirmed public searches.")
  .meta({ examples: [{ total: 1, limit: 20, offset: 0, items: [exampleOf(RecentSearch)] }] });
export type RecentSearchList = z.infer<typeof RecentSearchList>;

/** Recently confirmed public searches. */
export const getRecentSearches = defineEndpoint({
  id: "getRecentSearches",
  method: "GET",
  path: "/api/anime/recent-searches",
  tag: "Discover",
  summary: "Recently confirmed searches",
  description:
    "Confirmed public searches, newest first, without anime for adults. They never contain the user or the image.",
  security: [],
  query: z.object({
    limit: decimalInteger({ minimum: 1, maximum: 100 }).default(20).describe("The maximum number of items."),
    offset: decimalInteger({ minimum: 0, maximum: 10_000 })
      .default(0)
      .describe("The number of newer items to skip."),
  }),
  replies: { 200: { description: "They, newest first.", body: RecentSearchList } },
});
