import type { MessageReference } from "@koma/bot-core";
import type { APIInteraction } from "discord.js";
import type { Sent } from "../responses/send-reply.ts";

/** The stored form of a request, for resuming it after a restart. */
export type Resume =
  | { interaction: APIInteraction; isPrivate: boolean }
  | { channelId: string; messageId: string; guildId: string | undefined };

/** The encrypted form that the core stores. */
export function writeResume(resume: Resume): MessageReference {
  if (!("interaction" in resume)) return { ...resume, guildId: resume.guildId ?? null };
  return { interaction: JSON.stringify(removeUnusedFields(resume.interaction)), isPrivate: resume.isPrivate };
}

/** Reads the output of `writeResume`; undefined for anything else. */
export function readResume(saved: MessageReference): Resume | undefined {
  const { interaction, isPrivate, channelId, messageId, guildId } = saved;
  if (typeof interaction === "string") {
    return { interaction: JSON.parse(interaction) as APIInteraction, isPrivate: isPrivate === true };
  }
  if (typeof channelId !== "string" || typeof messageId !== "string") return undefined;
  return { channelId, messageId, guildId: typeof guildId === "string" ? guildId : undefined };
}

/** The reference that the core stores of a sent message. */
export function toReference(sent: Sent): MessageReference | undefined {
  return sent === undefined ? undefined : { channelId: sent.channelId, messageId: sent.messageId };
}

/** Removes fields that the reply does not need, above all the message of a button. */
function removeUnusedFields(interaction: APIInteraction): object {
  const { message, member, guild, entitlements, ...rest } = interaction;
  return {
    ...rest,
    ...(member === undefined
      ? {}
      : { member: { nick: member.nick, permissions: member.permissions, user: member.user } }),
    ...(message === undefined ? {} : { message: { id: message.id, flags: message.flags } }),
  };
}
