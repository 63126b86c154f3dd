import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageFields, pageQuery } from "../endpoint/page.ts";
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
export const UserSearchList = z
  .object({ ...pageFields, items: z.array(UserSearch).describe("Newest first.") })
  .describe("The user's own searches, newest first.")
  .meta({ examples: [{ page: 1, pageSize: 20, total: 1, items: [exampleOf(UserSearch)] }] });
export type UserSearchList = z.infer<typeof UserSearchList>;

/** The searches of the signed-in user. */
export const listUserSearches = defineEndpoint({
  id: "listUserSearches",
  method: "GET",
  path: "/api/user/searches",
  tag: "Account",
  summary: "One's own searches",
  security: ["session"],
  query: pageQuery,
  replies: { 200: { description: "List the user's own searches, newest first", body: UserSearchList } },
  errors: [],
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
  errors: [],
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
