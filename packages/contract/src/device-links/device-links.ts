import { z } from "zod";
import { ChatPlatform, ChatUser } from "../chats/chat-user.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueToken } from "../endpoint/opaque-id.ts";
import { plainText } from "../endpoint/plain-text.ts";

// Chat platforms allow direction controls in names, so the API removes them instead of rejecting the request.
const displayName = plainText({ longest: 100, mayChangeDirection: true });
const expiresAt = z.iso.datetime().describe("When both codes expire.");
const intervalSeconds = z
  .int()
  .min(1)
  .describe("The minimum time in seconds between two token requests (RFC 8628 `interval`).");

/** The device authorization response to the bot. */
export const NewLink = z
  .object({
    deviceCode: z
      .string()
      .describe("The device verification code (RFC 8628 `device_code`); a secret of the bot."),
    userCode: z.string().describe("The end-user verification code (RFC 8628 `user_code`)."),
    verificationUrl: z
      .string()
      .describe("The verification address with the user code in it (RFC 8628 `verification_uri_complete`)."),
    expiresAt,
    intervalSeconds,
  })
  .describe("A device authorization response after RFC 8628.")
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

/** The API key of an approved link. */
export const LinkedKey = z
  .object({
    key: z.string().describe("An API key of the user. Only this response contains it."),
    id: z.string().describe("The key's id."),
    title: z.string().describe("The title of the key in the user's list: the platform and the display name."),
  })
  .describe("The API key that the approval created.")
  .meta({ examples: [{ key: "koma_3fQ9…", id: "cmi8x2k4q0004", title: "Discord: Spike" }] });
export type LinkedKey = z.infer<typeof LinkedKey>;

/** The authorization is pending. */
export const PendingLink = z
  .object({ expiresAt, intervalSeconds })
  .describe("The authorization is pending (RFC 8628 `authorization_pending`).")
  .meta({ examples: [{ expiresAt: "2026-11-20T18:10:00.000Z", intervalSeconds: 5 }] });
export type PendingLink = z.infer<typeof PendingLink>;

/** A device authorization request, as the user sees it before the approval. */
export const LinkRequest = z
  .object({
    userCode: z.string().describe("The user code, as the bot displays it."),
    platform: ChatPlatform,
    chatUser: ChatUser.describe(
      "The chat user who requested the link: the platform, a colon and the user's number.",
    ),
    displayName: z
      .string()
      .describe("The name of the chat user, as the bot states it. The API does not verify it."),
    botName: z.string().describe("The name of the bot's account."),
    keyTitle: z.string().describe("The title of the API key that an approval creates."),
    expiresAt,
  })
  .describe("A device authorization request.")
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
    .describe("The user code, in upper or lower case, with or without the dash.")
    .meta({ examples: ["WDJB-MJHT"] }),
});

/** The device authorization endpoint. */
export const createLink = defineEndpoint({
  id: "createLink",
  method: "POST",
  path: "/api/links",
  tag: "Bots",
  summary: "Request a device authorization",
  description:
    "The user approves the request at `verificationUrl` within 10 minutes. The bot polls `/api/links/token` until then.",
  security: ["bot"],
  json: z
    .object({
      chatUser: ChatUser.describe(
        "The chat user who requested the link: the platform, a colon and the user's number.",
      ),
      displayName: displayName.describe(
        "The name of the chat user, 1 to 100 characters. Direction controls are removed. Control characters and names without " +
          "visible characters are rejected.",
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
});

/** The device access token endpoint. */
export const claimLink = defineEndpoint({
  id: "claimLink",
  method: "POST",
  path: "/api/links/token",
  tag: "Bots",
  summary: "Poll for the key of an approved link",
  description:
    "Poll every `intervalSeconds`; faster polling gets `slow_down`. The key is returned once. Afterwards, and for an unknown code, " +
    "the error is `link_expired`. While the user has the maximum number of keys, the error is `invalid_request`.",
  security: ["bot"],
  json: z
    .object({ deviceCode: opaqueToken("The `deviceCode` of the link.") })
    .meta({ examples: [{ deviceCode: exampleOf(NewLink).deviceCode }] }),
  replies: {
    200: { description: "Approved: the key.", body: LinkedKey },
    202: { description: "Pending: poll again.", body: PendingLink },
  },
  errors: ["link_denied", "link_expired", "slow_down"],
});

/** A pending device authorization request. */
export const getLink = defineEndpoint({
  id: "getLink",
  method: "GET",
  path: "/api/links/{userCode}",
  tag: "Bots",
  summary: "Get a device authorization request",
  security: ["session"],
  params,
  replies: { 200: { description: "The pending request.", body: LinkRequest } },
  errors: ["not_found", "link_expired"],
});

/** Approves a device authorization request. */
export const approveLink = defineEndpoint({
  id: "approveLink",
  method: "POST",
  path: "/api/links/{userCode}/approve",
  tag: "Bots",
  summary: "Approve a device authorization request",
  description:
    "Creates an API key of the user for the bot. Revoking the key ends the link. A user with the maximum number of keys gets " +
    "`invalid_request`.",
  security: ["session"],
  params,
  replies: { 204: { description: "The bot can fetch its key." } },
  errors: ["not_found", "link_expired"],
});

/** Denies a device authorization request. */
export const denyLink = defineEndpoint({
  id: "denyLink",
  method: "POST",
  path: "/api/links/{userCode}/deny",
  tag: "Bots",
  summary: "Deny a device authorization request",
  security: ["session"],
  params,
  replies: { 204: { description: "Denied: the next poll gets `link_denied`." } },
  errors: ["not_found", "link_expired"],
});
