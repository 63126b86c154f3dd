import { z } from "zod";
import { ChatPlatform, ChatUser } from "./chat-user.ts";
import { defineEndpoint } from "./endpoint.ts";
import { exampleOf } from "./example.ts";
import { opaqueToken } from "./opaque-id.ts";
import { plainText } from "./plain-text.ts";

// Platforms let their users turn their names around; the bot cannot help it.
const displayName = plainText({ longest: 100, mayTurn: true });
const expiresAt = z.iso.datetime().describe("When the codes end.");
const intervalSeconds = z.int().min(1).describe("Seconds to wait between two questions for the key.");

/** A bot's wish to act for someone's account, as the bot gets it. */
export const NewLink = z
  .object({
    deviceCode: z.string().describe("Secret of the bot, with which it asks for the key."),
    userCode: z.string().describe("What the person enters."),
    verificationUrl: z.string().describe("Where the person looks at the wish; it has the code in it."),
    expiresAt,
    intervalSeconds,
  })
  .describe("A wish to act for someone's account (as RFC 8628 has it).")
  .meta({
    examples: [
      {
        deviceCode: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
        userCode: "WDJB-MJHT",
        verificationUrl: "https://koma.example/device?code=WDJB-MJHT",
        expiresAt: "2026-11-20T18:10:00.000Z",
        intervalSeconds: 5,
      },
    ],
  });
export type NewLink = z.infer<typeof NewLink>;

/** The key that an approval made. */
export const LinkedKey = z
  .object({
    key: z.string().describe("An API key of the person, given this once and never again."),
    id: z.string().describe("The key's id."),
    title: z.string().describe("What it is called in the person's list: the platform and the name there."),
  })
  .describe("The key that the person's approval made.")
  .meta({ examples: [{ key: "koma_3fQ9…", id: "cmi8x2k4q0004", title: "Discord: Spike" }] });
export type LinkedKey = z.infer<typeof LinkedKey>;

/** Nobody has decided yet. */
export const PendingLink = z
  .object({ expiresAt, intervalSeconds })
  .describe("The person has not decided yet.")
  .meta({ examples: [{ expiresAt: "2026-11-20T18:10:00.000Z", intervalSeconds: 5 }] });
export type PendingLink = z.infer<typeof PendingLink>;

/** A bot's wish to act for someone's account, as that person sees it. */
export const LinkRequest = z
  .object({
    userCode: z.string().describe("The code, as the bot shows it."),
    platform: ChatPlatform,
    chatUser: ChatUser.describe("Who asks there: the platform, a colon and the user's number."),
    displayName: z.string().describe("What the bot says that chat user is called; the bot's word only."),
    botName: z.string().describe("The name of the bot's own account here."),
    keyTitle: z.string().describe("What the key is going to be called that an approval makes."),
    expiresAt,
  })
  .describe("Who wants to act for one's account.")
  .meta({
    examples: [
      {
        userCode: "WDJB-MJHT",
        platform: "discord",
        chatUser: "discord:80351110224678912",
        displayName: "Spike",
        botName: "Koma bot",
        keyTitle: "Discord: Spike",
        expiresAt: "2026-11-20T18:10:00.000Z",
      },
    ],
  });
export type LinkRequest = z.infer<typeof LinkRequest>;

const params = z.object({
  userCode: z
    .string()
    .regex(/^[A-Za-z]{4}-?[A-Za-z]{4}$/, "must look like WDJB-MJHT")
    .overwrite((code) => code.toUpperCase().replace(/^(.{4})-?/, "$1-"))
    .describe("The code that the bot shows; small letters will do, and the dash may be missing.")
    .meta({ examples: ["WDJB-MJHT"] }),
});

/** A bot asks to act for someone's account. */
export const createLink = defineEndpoint({
  id: "createLink",
  method: "POST",
  path: "/api/links",
  tag: "Bots",
  summary: "Ask to act for someone's account",
  description:
    "The person has 10 minutes to approve at `verificationUrl`; meanwhile the bot asks for the key.",
  security: ["bot"],
  json: z
    .object({
      chatUser: ChatUser.describe("Who asks there: the platform, a colon and the user's number."),
      displayName: displayName.describe(
        "What that chat user is called: 1 to 100 characters. Characters that turn the direction of a text are taken out; control " +
          "characters are refused, and names of which nothing can be seen.",
      ),
      platform: ChatPlatform,
    })
    .refine(({ chatUser, platform }) => chatUser.startsWith(`${platform}:`), {
      path: ["platform"],
      message: "must be the platform of chatUser",
    })
    .meta({
      examples: [{ chatUser: exampleOf(LinkRequest).chatUser, displayName: "Spike", platform: "discord" }],
    }),
  replies: { 201: { description: "The codes.", body: NewLink } },
  errors: [],
});

/** The bot asks for the key. */
export const claimLink = defineEndpoint({
  id: "claimLink",
  method: "POST",
  path: "/api/links/token",
  tag: "Bots",
  summary: "Ask for the key of an approved link",
  description:
    "Every `intervalSeconds`; who asks more often gets `slow_down`. The key is given once: afterwards, and for a code that is " +
    "unknown, the answer is `link_expired`. Where the person has as many keys as there can be, it is `invalid_request` until they " +
    "end one.",
  security: ["bot"],
  json: z
    .object({ deviceCode: opaqueToken("The `deviceCode` of the link.") })
    .meta({ examples: [{ deviceCode: exampleOf(NewLink).deviceCode }] }),
  replies: {
    200: { description: "Approved: the key, this once.", body: LinkedKey },
    202: { description: "Not decided yet: ask again.", body: PendingLink },
  },
  errors: ["link_denied", "link_expired", "slow_down"],
});

/** Who wants to act for one's account. */
export const getLink = defineEndpoint({
  id: "getLink",
  method: "GET",
  path: "/api/links/{userCode}",
  tag: "Bots",
  summary: "Who wants to act for one's account",
  security: ["session"],
  params,
  replies: { 200: { description: "The wish, still open.", body: LinkRequest } },
  errors: ["not_found", "link_expired"],
});

/** Lets the bot act for one's account. */
export const approveLink = defineEndpoint({
  id: "approveLink",
  method: "POST",
  path: "/api/links/{userCode}/approve",
  tag: "Bots",
  summary: "Let a bot act for one's account",
  description:
    "Makes an API key of one's own that the bot gets; ending that key ends the link. Who has as many keys as there can be gets " +
    "`invalid_request`.",
  security: ["session"],
  params,
  replies: { 204: { description: "The bot can fetch its key." } },
  errors: ["not_found", "link_expired"],
});

/** Refuses the bot. */
export const denyLink = defineEndpoint({
  id: "denyLink",
  method: "POST",
  path: "/api/links/{userCode}/deny",
  tag: "Bots",
  summary: "Refuse a bot",
  security: ["session"],
  params,
  replies: { 204: { description: "The bot is told so." } },
  errors: ["not_found", "link_expired"],
});
