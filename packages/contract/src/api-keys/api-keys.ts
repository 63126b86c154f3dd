import { z } from "zod";
import { ChatUser } from "../chats/chat-user.ts";
import { ApiKeyScope } from "../endpoint/api-key-scope.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageOf, pageQuery } from "../endpoint/page.ts";
import { plainText } from "../endpoint/plain-text.ts";

const keyFields = {
  id: z.string().describe("The key's id."),
  title: z.string().describe("The title that its owner chose."),
  start: z.string().describe("The first characters of the key, to tell it from others."),
  createdAt: z.iso.datetime().describe("When it was created."),
  expiresAt: z.iso.datetime().nullable().describe("When it expires; null: never."),
  scopes: z.array(ApiKeyScope).min(1).describe("What it may do."),
};
const exampleKey = {
  id: "cmi8x2k4q0004",
  title: "My script",
  start: "koma_3f",
  createdAt: "2026-11-20T18:00:00.000Z",
  expiresAt: null,
  scopes: ApiKeyScope.options,
};

/** An API key without the key itself, for its owner. */
export const ApiKey = z
  .object({
    ...keyFields,
    lastUsedAt: z.iso.datetime().nullable().describe("When it was last used; null: never."),
    revokedAt: z.iso
      .datetime()
      .nullable()
      .describe("When Koma revoked it because it was published in a chat; null: it was not."),
  })
  .describe("An API key, without the key itself.")
  .meta({ examples: [{ ...exampleKey, lastUsedAt: "2026-11-20T18:02:57.391Z", revokedAt: null }] });
export type ApiKey = z.infer<typeof ApiKey>;

/** A user's API keys. */
export const ApiKeyList = pageOf(ApiKey, "The user's own API keys, newest first.", "Newest first.");
export type ApiKeyList = z.infer<typeof ApiKeyList>;

/** A new API key. Only this response contains the key. */
export const NewApiKey = z
  .object({ ...keyFields, key: z.string().describe("The key itself. Only this response contains it.") })
  .describe("A new API key.")
  .meta({ examples: [{ ...exampleKey, key: "koma_3fQ9…" }] });
export type NewApiKey = z.infer<typeof NewApiKey>;

/** The maximum number of API keys of one user. */
export const apiKeyLimit = 50;

/** The API keys of the signed-in user. */
export const listApiKeys = defineEndpoint({
  id: "listApiKeys",
  method: "GET",
  path: "/api/apikeys",
  tag: "API keys",
  summary: "The user's own API keys",
  security: ["session"],
  query: pageQuery,
  replies: { 200: { description: "The user's own API keys, newest first.", body: ApiKeyList } },
});

/** Creates an API key for the signed-in user. */
export const createApiKey = defineEndpoint({
  id: "createApiKey",
  method: "POST",
  path: "/api/apikeys",
  tag: "API keys",
  summary: "Create an API key",
  description: `Only this response contains the key. A user has at most ${apiKeyLimit} keys; one more is \`invalid_request\`. Expired keys and keys with \`revokedAt\` count until they are deleted.`,
  security: ["session"],
  json: z
    .object({
      title: plainText({ longest: 64 }).describe(
        "Its title: 1 to 64 characters after trimming. Control characters, characters that change the text " +
          "direction, and titles without visible characters are rejected.",
      ),
      expiresInDays: z
        .int()
        .min(1)
        .max(365)
        .optional()
        .describe("The days until it expires. Omitted: it does not expire."),
      scopes: z
        .array(ApiKeyScope)
        .min(1)
        .max(ApiKeyScope.options.length)
        .optional()
        .describe("What it may do; an operation of another scope is `forbidden`. Omitted: all."),
    })
    .meta({ examples: [{ title: "My script", expiresInDays: 90, scopes: ["search"] }] }),
  replies: { 201: { description: "The new key.", body: NewApiKey } },
});

/** Revokes one of the signed-in user's API keys. */
export const deleteApiKey = defineEndpoint({
  id: "deleteApiKey",
  method: "DELETE",
  path: "/api/apikeys/{id}",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "The key is invalid from now on.",
  security: ["session"],
  params: z.object({ id: opaqueId("The key's id.") }),
  replies: { 204: { description: "Revoked." } },
  errors: ["not_found"],
});

/** Revokes the API key of the request. */
export const deleteCurrentApiKey = defineEndpoint({
  id: "deleteCurrentApiKey",
  method: "DELETE",
  path: "/api/apikeys/current",
  tag: "API keys",
  summary: "Revoke the key of this request",
  description: "For programs that no longer need their key.",
  security: ["apiKey"],
  replies: { 204: { description: "Revoked." } },
});

/** The report of a published key. */
export const LeakedKeyReceipt = z
  .object({
    isOwnKey: z
      .boolean()
      .describe("True if it was the key of this request: the bot needs another one from now on."),
  })
  .describe("The key is invalid.")
  .meta({ examples: [{ isOwnKey: false }] });
export type LeakedKeyReceipt = z.infer<typeof LeakedKeyReceipt>;

/** Revokes an API key that a bot found in a public message. */
export const revokeLeakedApiKey = defineEndpoint({
  id: "revokeLeakedApiKey",
  method: "POST",
  path: "/api/apikeys/leaked",
  tag: "Bots",
  summary: "Revoke a published API key",
  description:
    "For a key in a public message. The key is invalid from now on, also if it is the key of a bot or of this request. Its owner " +
    "gets a mail where mail is configured, and sees `revokedAt` in the list. Unknown and already revoked keys get the same " +
    "response. At most 60 keys of one chat user in 10 minutes; then `too_many_requests`.",
  security: ["bot"],
  json: z
    .object({
      key: z
        .string()
        .regex(/^koma_[A-Za-z0-9]{52}$/, "must be a whole API key")
        .describe("The key."),
      chatUser: ChatUser.describe(
        "The chat user who published it: the platform, a colon and the user's number.",
      ),
    })
    .meta({ examples: [{ key: `koma_${"3fQ9".repeat(13)}`, chatUser: exampleOf(ChatUser) }] }),
  replies: { 200: { description: "The key is invalid.", body: LeakedKeyReceipt } },
  isRepeatable: true,
});
