import { z } from "zod";
import { Anime } from "../anime/anime.ts";
import { ChatServer, ChatUser } from "../chats/chat-user.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageOf, pageQuery } from "../endpoint/page.ts";
import { plainText } from "../endpoint/plain-text.ts";
import { searchText } from "../endpoint/query.ts";
import { Match } from "../searches/match.ts";
import { OperatorEpisode } from "./operator.ts";
import { auditedOperation, defineOperatorEndpoint, forAdministrators } from "./operator-endpoint.ts";

const ChatKind = z
  .enum(["user", "server"], "must be user or server")
  .describe("A chat user, or a server or group.");

/** A chat that the bots do not serve. */
export const BlockedChat = z
  .object({
    key: z.string().describe("A keyed hash of the chat; the chat itself is not stored."),
    kind: ChatKind,
    note: z.string().nullable().describe("The note of an operator."),
    createdAt: z.iso.datetime().describe("When it was blocked."),
  })
  .describe("A chat that the bots do not serve.")
  .meta({
    examples: [{ key: "kV2mX0cQ5rT8", kind: "server", note: "Spam", createdAt: "2026-11-20T18:00:00.000Z" }],
  });
export type BlockedChat = z.infer<typeof BlockedChat>;

/** All blocked chats. */
export const BlockedChatList = z
  .object({ items: z.array(BlockedChat).describe("Newest first.") })
  .describe("All blocked chats.")
  .meta({ examples: [{ items: [exampleOf(BlockedChat)] }] });
export type BlockedChatList = z.infer<typeof BlockedChatList>;

/** An action of an operator. */
export const AuditRecord = z
  .object({
    id: z.string().describe("The record's id."),
    createdAt: z.iso.datetime().describe("When the action was recorded."),
    actor: z.string().describe("`user:` and the id of an operator, or `cli:` and the name of a system user."),
    action: z.string().describe("The action, as `user.disable`."),
    actorName: z
      .string()
      .nullable()
      .describe("The name of the operator; null: the account is deleted, or the action was a command."),
    target: z.string().describe("The object of the action, as `user:` and an id."),
    targetName: z
      .string()
      .nullable()
      .describe("The name of the user, anime or episode; null: it is deleted, or has no name."),
    details: z.string().nullable().describe("Further values as JSON."),
  })
  .describe("An action of an operator.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0011",
        createdAt: "2026-11-20T18:00:00.000Z",
        actor: "user:cmi8x2k4q0009",
        actorName: "Rin",
        action: "anime.merge",
        target: "anime:cmi8x2k4q0001",
        targetName: "Cowboy Bebop",
        details: '{"intoId":"cmi8x2k4q0007"}',
      },
    ],
  });
export type AuditRecord = z.infer<typeof AuditRecord>;

/** Actions of operators, newest first. */
export const AuditRecordList = pageOf(AuditRecord, "Actions of operators, newest first.", "Newest first.");
export type AuditRecordList = z.infer<typeof AuditRecordList>;

/** What a user says that the image of a search shows. */
export const Correction = z
  .object({
    id: z.string().describe("The search's id."),
    createdAt: z.iso.datetime().describe("When the user said it."),
    text: z
      .string()
      .nullable()
      .describe("What the image shows, in the user's words; null: the user chose an anime of the library."),
    anime: Anime.nullable().describe("The anime that the user chose; null: none, or it is deleted."),
    number: z.string().nullable().describe("The number of the episode; null: the user named none."),
    episode: OperatorEpisode.nullable().describe(
      "The episode of the first match as it is named now; null: the library does not have it.",
    ),
    match: Match.nullable().describe(
      "The first match, which was wrong; null: none, or its anime is deleted.",
    ),
  })
  .describe("What a user says that the image of a search shows.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0003",
        createdAt: "2026-11-20T18:03:21.114Z",
        text: null,
        anime: exampleOf(Anime),
        number: "5",
        episode: exampleOf(OperatorEpisode),
        match: exampleOf(Match),
      },
    ],
  });
export type Correction = z.infer<typeof Correction>;

/** Corrections of users, newest first. */
export const CorrectionList = pageOf(Correction, "Corrections of users, newest first.", "Newest first.");
export type CorrectionList = z.infer<typeof CorrectionList>;

/** The corrections of users. */
export const listCorrections = defineOperatorEndpoint({
  id: "listCorrections",
  method: "GET",
  path: "/api/operator/corrections",
  summary: "Corrections of users",
  description: forAdministrators,
  query: pageQuery,
  replies: { 200: { description: "Newest first.", body: CorrectionList } },
});

/** Deletes a correction that is settled. */
export const settleCorrection = defineOperatorEndpoint({
  id: "settleCorrection",
  method: "DELETE",
  path: "/api/operator/corrections/{id}",
  summary: "Delete a settled correction",
  description: auditedOperation,
  params: z.object({ id: opaqueId("The search's id.") }),
  replies: { 204: { description: "It is deleted." } },
  errors: ["not_found"],
});

/** Names the episode of a wrong match as its correction says. */
export const applyCorrection = defineOperatorEndpoint({
  id: "applyCorrection",
  method: "POST",
  path: "/api/operator/corrections/{id}/apply",
  summary: "Name the episode of a wrong match as its correction says, and delete the correction",
  description:
    `${auditedOperation} The episode gets the anime and the number of the correction; without a number it keeps its own. ` +
    "With another anime it loses its season and its title. Indexing the video again keeps the names.",
  params: z.object({ id: opaqueId("The search's id.") }),
  replies: { 204: { description: "The episode is named." } },
  errors: ["not_found"],
});

/** The blocked chats. */
export const listBlockedChats = defineOperatorEndpoint({
  id: "listBlockedChats",
  method: "GET",
  path: "/api/operator/blocked-chats",
  summary: "Chats that the bots do not serve",
  description: forAdministrators,
  replies: { 200: { description: "Newest first.", body: BlockedChatList } },
});

/** Blocks a chat. */
export const blockChat = defineOperatorEndpoint({
  id: "blockChat",
  method: "POST",
  path: "/api/operator/blocked-chats",
  summary: "Block a chat user, or a server or group",
  description: `${auditedOperation} A repeated request changes the note.`,
  json: z
    .object({
      kind: ChatKind,
      chat: z.string().max(64, "must have at most 64 characters").describe("The chat: `discord:123`."),
      note: plainText({ longest: 200 }).nullable().describe("A note for the operators."),
    })
    .superRefine(({ kind, chat }, context) => {
      const checked = (kind === "user" ? ChatUser : ChatServer).safeParse(chat);
      if (checked.success) return;
      const message = checked.error.issues[0]?.message ?? "is not a chat";
      context.addIssue({ code: "custom", path: ["chat"], message });
    })
    .meta({ examples: [{ kind: "server", chat: "discord:123456789012345678", note: "Spam" }] }),
  isRepeatable: true,
  replies: { 204: { description: "The chat is blocked." } },
});

/** Removes a block. */
export const unblockChat = defineOperatorEndpoint({
  id: "unblockChat",
  method: "DELETE",
  path: "/api/operator/blocked-chats/{key}",
  summary: "Unblock a chat",
  description: auditedOperation,
  params: z.object({ key: opaqueId("The keyed hash of the chat.") }),
  replies: { 204: { description: "The chat is not blocked." } },
  errors: ["not_found"],
});

/** The actions of operators. */
export const listAuditRecords = defineOperatorEndpoint({
  id: "listAuditRecords",
  method: "GET",
  path: "/api/operator/audit",
  summary: "Actions of operators",
  description: forAdministrators,
  query: pageQuery.extend({
    query: searchText("A part of an action, of a name or mail address of a user, or of a title of an anime."),
  }),
  replies: { 200: { description: "Newest first.", body: AuditRecordList } },
});
