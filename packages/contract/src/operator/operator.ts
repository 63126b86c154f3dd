import { z } from "zod";
import { Anime } from "../anime/anime.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageOf, pageQuery } from "../endpoint/page.ts";
import { boundedInteger, searchText } from "../endpoint/query.ts";
import { SceneLabel } from "../searches/match.ts";
import { defineOperatorEndpoint, forAdministrators } from "./operator-endpoint.ts";

const count = z.int().min(0);

/** The indexing state of an episode. */
export const EpisodeState = z
  .enum(["pending", "indexing", "ready", "failed"], "must be pending, indexing, ready or failed")
  .describe("Not indexed yet, being indexed, searchable, or failed at the last attempt.");
export type EpisodeState = z.infer<typeof EpisodeState>;

/** Episodes by state. */
export const EpisodeCounts = z
  .object({
    pending: count.describe("Not indexed yet."),
    indexing: count.describe("Being indexed."),
    ready: count.describe("Searchable."),
    failed: count.describe("Failed at the last attempt."),
  })
  .describe("Episodes by state.")
  .meta({ examples: [{ pending: 1, indexing: 0, ready: 8, failed: 0 }] });

/** Library, index, queues and users in figures. */
export const OperatorOverview = z
  .object({
    version: z.string().describe("The version of this API process."),
    startedAt: z.iso.datetime().describe("When this process started."),
    memoryBytes: count.describe("The resident memory of this process."),
    library: z
      .object({
        anime: count.describe("Anime with episodes."),
        episodes: EpisodeCounts,
        frames: count.describe("Frames of all searchable episodes."),
        outdated: count.default(0).describe("Searchable episodes with data of an earlier version."),
      })
      .describe("The content of the database."),
    index: z
      .object({
        isOpen: z.boolean().describe("Whether searches are possible."),
        frames: count.describe(
          "Frames in the index of this process, which follows the database within seconds.",
        ),
      })
      .describe("The index of this process."),
    searches: z
      .object({
        underWay: count.describe("Running searches of all instances."),
        lastHour: count.describe("Completed in the last 60 minutes."),
        lastDay: count.describe("Completed in the last 24 hours."),
        medianMs: count
          .nullable()
          .describe("The median duration in the last 24 hours; null without searches."),
      })
      .describe("Search figures."),
    users: z
      .object({
        people: count.describe("Accounts of people."),
        bots: count.describe("Accounts of bots."),
        newLastDay: count.describe("People who signed up in the last 24 hours."),
      })
      .describe("Account figures."),
  })
  .describe("Library, index, queues and users in figures.")
  .meta({
    examples: [
      {
        version: "0.1.0",
        startedAt: "2026-11-20T08:00:00.000Z",
        memoryBytes: 412_000_000,
        library: {
          anime: 3,
          episodes: { pending: 1, indexing: 0, ready: 8, failed: 0 },
          frames: 601,
          outdated: 0,
        },
        index: { isOpen: true, frames: 601 },
        searches: { underWay: 0, lastHour: 4, lastDay: 31, medianMs: 41 },
        users: { people: 12, bots: 1, newLastDay: 2 },
      },
    ],
  });
export type OperatorOverview = z.infer<typeof OperatorOverview>;

const partSeconds = z.number().min(0, "must be at least 0").max(1_000_000, "must be at most 1000000");

/** A named part of an episode. */
export const EpisodeLabel = z
  .object({
    label: SceneLabel,
    from: partSeconds.describe("Seconds at which the part starts."),
    to: partSeconds.describe("Seconds at which the part ends."),
  })
  .describe("A named part of an episode.")
  .meta({ examples: [{ label: "opening", from: 62.5, to: 152.4 }] });
export type EpisodeLabel = z.infer<typeof EpisodeLabel>;

/** An episode with its indexing state. */
export const OperatorEpisode = z
  .object({
    id: z.string().describe("The episode's id."),
    anime: Anime,
    season: z.int().nullable().describe("The season."),
    number: z.string().nullable().describe("The number, or the text in its place."),
    title: z.string().nullish().describe("Its own title."),
    fileName: z.string().describe("The file name."),
    state: EpisodeState,
    problem: z.string().nullable().describe("Why the last attempt failed; null otherwise."),
    frameCount: count.describe("Frames in the index."),
    durationSeconds: z.number().min(0).nullable().describe("The duration of the video."),
    indexedAt: z.iso.datetime().nullable().describe("When it was last indexed; null: never."),
    labels: z
      .array(EpisodeLabel)
      .default([])
      .describe("Its named parts, by time: detected, or as an operator set them."),
  })
  .describe("An episode with its indexing state.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0002",
        anime: exampleOf(Anime),
        season: null,
        number: "3",
        title: null,
        fileName: "Cowboy Bebop - 03.mkv",
        state: "ready",
        problem: null,
        frameCount: 8312,
        durationSeconds: 1435.2,
        indexedAt: "2026-11-20T18:00:00.000Z",
        labels: [exampleOf(EpisodeLabel)],
      },
    ],
  });
export type OperatorEpisode = z.infer<typeof OperatorEpisode>;

/** Episodes, failed ones first. */
export const OperatorEpisodeList = pageOf(
  OperatorEpisode,
  "Episodes, failed ones first.",
  "Failed ones first, then by title.",
);
export type OperatorEpisodeList = z.infer<typeof OperatorEpisodeList>;

/** A user account. */
export const OperatorUser = z
  .object({
    id: z.string().describe("The user's id."),
    name: z.string().describe("The display name."),
    email: z.string().describe("The mail address."),
    isEmailVerified: z.boolean().describe("Whether the mail address is verified."),
    isDisabled: z.boolean().describe("Whether the account is disabled."),
    isBot: z.boolean().describe("Whether this is the account of a bot."),
    isAdmin: z.boolean().describe("Whether the user is an administrator."),
    isTwoFactorEnabled: z.boolean().describe("Whether a sign-in needs a second factor."),
    purchasedCredits: count.describe("Unspent credits that were purchased or granted."),
    createdAt: z.iso.datetime().describe("When the account was created."),
  })
  .describe("A user account.")
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
        isTwoFactorEnabled: false,
        purchasedCredits: 10,
        createdAt: "2026-11-20T18:00:00.000Z",
      },
    ],
  });
export type OperatorUser = z.infer<typeof OperatorUser>;

/** Users, newest first. */
export const OperatorUserList = pageOf(OperatorUser, "Users, newest first.", "Newest first.");
export type OperatorUserList = z.infer<typeof OperatorUserList>;

/** The result of a grant. */
export const CreditGrant = z
  .object({
    isNew: z.boolean().describe("False when a grant with this reference exists."),
    purchasedCredits: count.describe("The purchased credits of the user after the grant."),
  })
  .describe("The result of a grant.")
  .meta({ examples: [{ isNew: true, purchasedCredits: 60 }] });
export type CreditGrant = z.infer<typeof CreditGrant>;

/** Library, index, queues and users in figures. */
export const getOperatorOverview = defineOperatorEndpoint({
  id: "getOperatorOverview",
  method: "GET",
  path: "/api/operator/overview",
  summary: "Library, index, queues and users in figures",
  description: forAdministrators,
  replies: { 200: { description: "The figures.", body: OperatorOverview } },
});

/** The episodes with their states and problems. */
export const listOperatorEpisodes = defineOperatorEndpoint({
  id: "listOperatorEpisodes",
  method: "GET",
  path: "/api/operator/episodes",
  summary: "Episodes, their states and problems",
  description: forAdministrators,
  query: pageQuery.extend({
    animeId: opaqueId("Only episodes of this anime.").optional(),
    query: searchText("A part of a title of the anime or the episode, or of the file name."),
    state: EpisodeState.optional()
      .describe("Only episodes in this state.")
      .meta({ examples: ["failed"] }),
  }),
  replies: { 200: { description: "Failed ones first, then by title.", body: OperatorEpisodeList } },
});

/** The users. */
export const listOperatorUsers = defineOperatorEndpoint({
  id: "listOperatorUsers",
  method: "GET",
  path: "/api/operator/users",
  summary: "Users",
  description: forAdministrators,
  query: pageQuery.extend({
    query: searchText("A part of a name or mail address."),
  }),
  replies: { 200: { description: "Newest first.", body: OperatorUserList } },
});

/** Grants credits to a user. */
export const grantCredits = defineOperatorEndpoint({
  id: "grantCredits",
  method: "POST",
  path: "/api/operator/users/{id}/grants",
  summary: "Grant credits to a user",
  description: `${forAdministrators} A repeated \`reference\` grants nothing.`,
  params: z.object({ id: opaqueId("The user's id.") }),
  json: z
    .object({
      amount: boundedInteger(1, 1_000_000).describe("Credits to give: 1 to 1 000 000."),
      reason: z
        .string()
        .trim()
        .regex(/^\P{Cc}{1,200}$/u, "must have 1 to 200 characters, none of them a control character")
        .describe("The reason for the ledger, 1 to 200 characters."),
      reference: z
        .string()
        .regex(/^[\w-]{8,64}$/, "must have 8 to 64 letters, digits or dashes")
        .describe("An idempotency reference that the caller chooses."),
    })
    .meta({ examples: [{ amount: 50, reason: "Thanks for the report", reference: "0d7f0a5e-7a55-4c1c" }] }),
  isRepeatable: true,
  replies: { 200: { description: "The grant is recorded.", body: CreditGrant } },
  errors: ["not_found"],
});
