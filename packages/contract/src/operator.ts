import { z } from "zod";
import { Anime } from "./anime.ts";
import { defineEndpoint } from "./endpoint.ts";
import { exampleOf } from "./example.ts";
import { opaqueId } from "./opaque-id.ts";
import { pageFields, pageQuery } from "./page.ts";

const count = z.int().min(0);
const tag = "Operator";
const description = "Only for users who are operators: `koma user admin <user>`.";

/** What becomes of a film: never indexed, at work, found by searches, or failed at the last attempt. */
export const EpisodeState = z
  .enum(["pending", "indexing", "ready", "failed"], "must be pending, indexing, ready or failed")
  .describe("Never indexed, at work, found by searches, or failed at the last attempt.");
export type EpisodeState = z.infer<typeof EpisodeState>;

/** Library, index, queues and users in figures. */
export const OperatorOverview = z
  .object({
    version: z.string().describe("Of the API that answers."),
    startedAt: z.iso.datetime().describe("When it was started."),
    memoryBytes: count.describe("Memory that its process takes."),
    library: z
      .object({
        anime: count.describe("Anime with films."),
        episodes: z
          .object({
            pending: count.describe("Never indexed, and waiting."),
            indexing: count.describe("At work."),
            ready: count.describe("Found by searches."),
            failed: count.describe("Whose last attempt failed."),
          })
          .describe("Films by state."),
        frames: count.describe("Frames of all films that are ready."),
      })
      .describe("What is in the database."),
    index: z
      .object({
        isOpen: z.boolean().describe("Searches are possible."),
        frames: count.describe("Frames that this process finds; it follows the library within seconds."),
      })
      .describe("What this process has open."),
    searches: z
      .object({
        underWay: count.describe("Searches that have begun and not ended, on all instances."),
        lastHour: count.describe("Answered in the last 60 minutes."),
        lastDay: count.describe("Answered in the last 24 hours."),
        medianMs: count
          .nullable()
          .describe("Of the last 24 hours, half took no longer; null where there was none."),
      })
      .describe("What is searched."),
    users: z
      .object({
        people: count.describe("Accounts of people."),
        bots: count.describe("Accounts of bots."),
        newLastDay: count.describe("People who signed up in the last 24 hours."),
      })
      .describe("Who has an account."),
  })
  .describe("Library, index, queues and users in figures.")
  .meta({
    examples: [
      {
        version: "0.1.0",
        startedAt: "2026-11-20T08:00:00.000Z",
        memoryBytes: 412_000_000,
        library: { anime: 3, episodes: { pending: 1, indexing: 0, ready: 8, failed: 0 }, frames: 601 },
        index: { isOpen: true, frames: 601 },
        searches: { underWay: 0, lastHour: 4, lastDay: 31, medianMs: 41 },
        users: { people: 12, bots: 1, newLastDay: 2 },
      },
    ],
  });
export type OperatorOverview = z.infer<typeof OperatorOverview>;

/** A film as its operator sees it. */
export const OperatorEpisode = z
  .object({
    id: z.string().describe("The episode's id."),
    anime: Anime,
    season: z.int().nullable().describe("Its season."),
    number: z.string().nullable().describe("Its number, or what is written for it."),
    fileName: z.string().describe("The file."),
    state: EpisodeState,
    problem: z.string().nullable().describe("Why the last attempt failed."),
    frameCount: count.describe("Frames that are found."),
    durationSeconds: z.number().min(0).nullable().describe("How long it lasts."),
    indexedAt: z.iso.datetime().nullable().describe("When it was last indexed."),
  })
  .describe("A film as its operator sees it.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0002",
        anime: exampleOf(Anime),
        season: null,
        number: "3",
        fileName: "Cowboy Bebop - 03.mkv",
        state: "ready",
        problem: null,
        frameCount: 8312,
        durationSeconds: 1435.2,
        indexedAt: "2026-11-20T18:00:00.000Z",
      },
    ],
  });
export type OperatorEpisode = z.infer<typeof OperatorEpisode>;

/** Films, those with problems first. */
export const OperatorEpisodeList = z
  .object({ ...pageFields, items: z.array(OperatorEpisode).describe("Failed ones first, then by title.") })
  .describe("Films, those with problems first.")
  .meta({ examples: [{ page: 1, pageSize: 20, total: 1, items: [exampleOf(OperatorEpisode)] }] });
export type OperatorEpisodeList = z.infer<typeof OperatorEpisodeList>;

/** A user as the operator sees them. */
export const OperatorUser = z
  .object({
    id: z.string().describe("The user's id."),
    name: z.string().describe("What they are called."),
    email: z.string().describe("Their mail address."),
    isEmailVerified: z.boolean().describe("They have shown that it is theirs."),
    isDisabled: z.boolean().describe("They are shut out."),
    isBot: z.boolean().describe("A bot's account."),
    isAdmin: z.boolean().describe("An operator."),
    purchasedCredits: count.describe("Credits that they bought or were granted, and did not spend."),
    createdAt: z.iso.datetime().describe("When they signed up."),
  })
  .describe("A user as the operator sees them.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0009",
        name: "Rin",
        email: "rin@site.example",
        isEmailVerified: true,
        isDisabled: false,
        isBot: false,
        isAdmin: false,
        purchasedCredits: 10,
        createdAt: "2026-11-20T18:00:00.000Z",
      },
    ],
  });
export type OperatorUser = z.infer<typeof OperatorUser>;

/** Users, newest first. */
export const OperatorUserList = z
  .object({ ...pageFields, items: z.array(OperatorUser).describe("Newest first.") })
  .describe("Users, newest first.")
  .meta({ examples: [{ page: 1, pageSize: 20, total: 1, items: [exampleOf(OperatorUser)] }] });
export type OperatorUserList = z.infer<typeof OperatorUserList>;

/** What a grant did. */
export const CreditGrant = z
  .object({
    isNew: z.boolean().describe("False where this grant was booked before."),
    purchasedCredits: count.describe("What the user has now."),
  })
  .describe("What a grant did.")
  .meta({ examples: [{ isNew: true, purchasedCredits: 60 }] });
export type CreditGrant = z.infer<typeof CreditGrant>;

/** Library, index, queues and users in figures. */
export const getOperatorOverview = defineEndpoint({
  id: "getOperatorOverview",
  method: "GET",
  path: "/api/operator/overview",
  tag,
  summary: "Library, index, queues and users in figures",
  description,
  security: ["admin"],
  replies: { 200: { description: "The figures.", body: OperatorOverview } },
  errors: [],
});

/** The films with their states and problems. */
export const listOperatorEpisodes = defineEndpoint({
  id: "listOperatorEpisodes",
  method: "GET",
  path: "/api/operator/episodes",
  tag,
  summary: "Films, their states and problems",
  description,
  security: ["admin"],
  query: pageQuery.extend({
    state: EpisodeState.optional()
      .describe("Only films in this state.")
      .meta({ examples: ["failed"] }),
  }),
  replies: { 200: { description: "Failed ones first, then by title.", body: OperatorEpisodeList } },
  errors: [],
});

/** The users. */
export const listOperatorUsers = defineEndpoint({
  id: "listOperatorUsers",
  method: "GET",
  path: "/api/operator/users",
  tag,
  summary: "Users",
  description,
  security: ["admin"],
  query: pageQuery.extend({
    query: z
      .string()
      .regex(/^\P{Cc}{0,200}$/u, "must have at most 200 characters, none of them a control character")
      .default("")
      .describe("Part of a name or mail address."),
  }),
  replies: { 200: { description: "Newest first.", body: OperatorUserList } },
  errors: [],
});

/** Gives a user credits. */
export const grantCredits = defineEndpoint({
  id: "grantCredits",
  method: "POST",
  path: "/api/operator/users/{id}/grants",
  tag,
  summary: "Give a user credits",
  description: `${description} The same \`reference\` again books nothing.`,
  security: ["admin"],
  params: z.object({ id: opaqueId("The user's id.") }),
  json: z
    .object({
      amount: z
        .int()
        .min(1, "must be at least 1")
        .max(1_000_000, "must be at most 1000000")
        .describe("Credits to give: 1 to 1 000 000."),
      reason: z
        .string()
        .trim()
        .regex(/^\P{Cc}{1,200}$/u, "must have 1 to 200 characters, none of them a control character")
        .describe("Why: 1 to 200 characters, for the books."),
      reference: z
        .string()
        .regex(/^[\w-]{8,64}$/, "must have 8 to 64 letters, digits or dashes")
        .describe("Chosen by the caller; makes the grant repeatable."),
    })
    .meta({ examples: [{ amount: 50, reason: "Thanks for the report", reference: "0d7f0a5e-7a55-4c1c" }] }),
  isRepeatable: true,
  replies: { 200: { description: "It is booked.", body: CreditGrant } },
  errors: ["not_found"],
});
