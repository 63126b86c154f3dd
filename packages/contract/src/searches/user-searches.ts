import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId, opaqueToken } from "../endpoint/opaque-id.ts";
import { pageOf, pageQuery } from "../endpoint/page.ts";
import { exampleScene, sceneFields } from "./match.ts";
import { SearchOutcome } from "./search-anime.ts";
import { Confirmation } from "./searches.ts";

/** One of a user's own searches. */
export const UserSearch = z
  .object({
    id: z.string().describe("The search's id."),
    createdAt: z.iso.datetime().describe("When it was created."),
    isPublic: z.boolean().describe("Whether it may appear in recent searches, once confirmed."),
    outcome: SearchOutcome.nullable().describe(
      "The outcome of the search; null for searches of earlier versions.",
    ),
    confirmation: Confirmation.nullable().describe("The confirmed match; null: none yet."),
    scene: z
      .object(sceneFields)
      .nullable()
      .describe(
        "The confirmed match, else the first of a search that found something, perhaps or surely; null without one, " +
          "or if all were rejected.",
      ),
  })
  .describe("One of a user's own searches.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0003",
        createdAt: "2026-11-20T18:02:57.391Z",
        isPublic: true,
        outcome: "found",
        confirmation: exampleOf(Confirmation),
        scene: exampleScene,
      },
    ],
  });
export type UserSearch = z.infer<typeof UserSearch>;

/** A user's own searches. */
export const UserSearchList = pageOf(UserSearch, "The user's own searches, newest first.", "Newest first.");
export type UserSearchList = z.infer<typeof UserSearchList>;

/** The searches of the signed-in user. */
export const listUserSearches = defineEndpoint({
  id: "listUserSearches",
  method: "GET",
  path: "/api/user/searches",
  tag: "Account",
  summary: "One's own searches",
  security: ["session", "apiKey"],
  scope: "account",
  query: pageQuery,
  replies: { 200: { description: "List the user's own searches, newest first", body: UserSearchList } },
});

/** The number of searches that are part of the history now. */
export const AddedSearches = z
  .object({ added: z.int().min(0).describe("The number of searches that were added.") })
  .describe("The searches that were added to the history.")
  .meta({ examples: [{ added: 2 }] });
export type AddedSearches = z.infer<typeof AddedSearches>;

/** The maximum number of searches that one request adds to the history. */
export const addedSearchesLimit = 50;

/** Adds searches that the user made as a guest to the history. */
export const addUserSearches = defineEndpoint({
  id: "addUserSearches",
  method: "POST",
  path: "/api/user/searches",
  tag: "Account",
  summary: "Add the searches of a guest to one's own",
  description:
    "The tokens prove who made the searches, within 24 hours; they are invalid afterwards, because the account owns " +
    "the searches then. Others are left out. The searches count for the day of the guest.",
  security: ["session"],
  json: z
    .object({
      searches: z
        .array(
          z.object({
            id: opaqueId("The search's id."),
            confirmToken: opaqueToken("The `confirmToken` of the search."),
          }),
        )
        .min(1, "must name a search")
        .max(addedSearchesLimit, `must have at most ${addedSearchesLimit} searches`)
        .describe("The searches with their tokens."),
    })
    .meta({
      examples: [{ searches: [{ id: "cmi8x2k4q0003", confirmToken: "4bq0xJcJ2vNnM1l8Yy3o7w" }] }],
    }),
  isRepeatable: true,
  replies: { 200: { description: "They are in the history.", body: AddedSearches } },
});

/** The user's searches per day. */
export const UserUsage = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date().describe("The UTC day."),
          searches: z.int().min(0).describe("Searches of this day in the history."),
        }),
      )
      .describe("The last 30 UTC days including today, oldest first."),
  })
  .describe("The user's searches per day.")
  .meta({ examples: [{ days: [{ day: "2026-11-20", searches: 4 }] }] });
export type UserUsage = z.infer<typeof UserUsage>;

/** The searches per day of the signed-in user. */
export const getUserUsage = defineEndpoint({
  id: "getUserUsage",
  method: "GET",
  path: "/api/user/usage",
  tag: "Account",
  summary: "One's own searches per day",
  security: ["session"],
  replies: { 200: { description: "The last 30 days.", body: UserUsage } },
});

/** Deletes one of the user's own searches. */
export const deleteUserSearch = defineEndpoint({
  id: "deleteUserSearch",
  method: "DELETE",
  path: "/api/user/searches/{id}",
  tag: "Account",
  summary: "Delete one of one's own searches",
  description: "The search is removed from the history and from the recent searches.",
  security: ["session"],
  params: z.object({ id: opaqueId("The search's id.") }),
  replies: { 204: { description: "It is deleted." } },
  errors: ["not_found"],
});
