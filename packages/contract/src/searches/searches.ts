import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId, opaqueToken } from "../endpoint/opaque-id.ts";
import { plainText } from "../endpoint/plain-text.ts";
import { boundedInteger } from "../endpoint/query.ts";
import { Match } from "./match.ts";
import { matchLimit, SearchOutcome } from "./search-anime.ts";

/** The confirmed match of a search. */
export const Confirmation = z
  .object({
    id: z.string().describe("The search's id."),
    rank: z.int().min(0).max(matchLimit).describe("The rank of the right match; 0: none of them."),
    confirmedAt: z.iso.datetime().describe("The time of the confirmation."),
  })
  .describe("The confirmed match of a search.")
  .meta({ examples: [{ id: "cmi8x2k4q0003", rank: 1, confirmedAt: "2026-11-20T18:03:21.114Z" }] });
export type Confirmation = z.infer<typeof Confirmation>;

/** A stored search. */
export const StoredSearch = z
  .object({
    id: z.string().describe("The search's id."),
    createdAt: z.iso.datetime().describe("When it was created."),
    isOwn: z.boolean().describe("Whether the caller created it; only its creator may confirm it."),
    isPublic: z.boolean().describe("Whether it may appear in recent searches, once confirmed."),
    outcome: SearchOutcome.nullable().describe(
      "The outcome of the search; null for searches of earlier versions.",
    ),
    matches: z
      .array(Match)
      .max(matchLimit)
      .describe("The matches of the search, with new preview addresses."),
    confirmation: Confirmation.nullable().describe("The confirmed match; null: none yet."),
  })
  .describe("One search afterwards.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0003",
        createdAt: "2026-11-20T18:02:57.391Z",
        isOwn: true,
        isPublic: true,
        outcome: "found",
        matches: [exampleOf(Match)],
        confirmation: exampleOf(Confirmation),
      },
    ],
  });
export type StoredSearch = z.infer<typeof StoredSearch>;

const params = z.object({ id: opaqueId("The search's id.") });
const confirmToken = opaqueToken("The `confirmToken` of a guest's search.").optional();
const tokenQuery = z.object({ confirmToken });

/** A stored search with new preview addresses, free of charge. */
export const getSearch = defineEndpoint({
  id: "getSearch",
  method: "GET",
  path: "/api/anime/searches/{id}",
  tag: "Search",
  summary: "One search again",
  description:
    "Readable by its creator, with its `confirmToken`, and by anyone once it is confirmed and public. Only the token " +
    "identifies a guest. Free of charge; stored for at least 24 hours, and as long as it is public.",
  security: ["guest", "session", "apiKey"],
  scope: "search",
  params,
  query: tokenQuery,
  replies: { 200: { description: "The same matches, with new preview addresses.", body: StoredSearch } },
  errors: ["not_found"],
});

/** Confirms the right match. */
export const confirmSearch = defineEndpoint({
  id: "confirmSearch",
  method: "POST",
  path: "/api/anime/searches/{id}/confirm",
  tag: "Search",
  summary: "Confirm the right match",
  description: "Within 24 hours of the search, by its maker. Again with another rank replaces what was said.",
  security: ["guest", "session", "apiKey"],
  scope: "search",
  params,
  json: z
    .object({
      rank: boundedInteger(0, matchLimit).describe(
        "The rank of the right match, which must exist; 0: none of them.",
      ),
      correction: plainText({ longest: 200 })
        .optional()
        .describe("What the image shows, for the operators of this site; only with rank 0."),
      correctedAnimeId: opaqueId(
        "The id of the anime of this library that the image shows; only with rank 0.",
      ).optional(),
      correctedEpisode: plainText({ longest: 20 })
        .optional()
        .describe("The number of the episode that the image shows, beside its anime or `correction`."),
      confirmToken,
    })
    .superRefine(({ rank, ...corrected }, context) => {
      const { correction, correctedAnimeId, correctedEpisode } = corrected;
      const refuse = (name: string, message: string) =>
        context.addIssue({ code: "custom", path: [name], message });
      for (const [name, value] of Object.entries({ correction, correctedAnimeId, correctedEpisode })) {
        if (rank !== 0 && value !== undefined) refuse(name, "is only possible with rank 0");
      }
      if (correctedEpisode !== undefined && (correction ?? correctedAnimeId) === undefined)
        refuse("correctedEpisode", "needs correctedAnimeId or correction");
    })
    .meta({ examples: [{ rank: 1, confirmToken: "4bq0xJcJ2vNnM1l8Yy3o7w" }] }),
  isRepeatable: true,
  replies: { 200: { description: "It is noted.", body: Confirmation } },
  errors: ["not_found", "confirmation_expired"],
});

/** Removes a confirmation. */
export const unconfirmSearch = defineEndpoint({
  id: "unconfirmSearch",
  method: "DELETE",
  path: "/api/anime/searches/{id}/confirm",
  tag: "Search",
  summary: "Remove a confirmation",
  description: "Within 24 hours of the search, by its maker.",
  security: ["guest", "session", "apiKey"],
  scope: "search",
  params,
  query: tokenQuery,
  replies: { 204: { description: "The search is not confirmed." } },
  errors: ["not_found", "confirmation_expired"],
});
