import type { MessageReference } from "@koma/bot-core";
import type { APIInteraction } from "discord.js";
import type { Sent } from "../responses/write-reply.ts";

/** The stored form of a request, for resuming it after a restart. */
export type Resume = { interaction: APIInteraction; isPrivate: boolean } | ResumedMessage;

/** A message, with the data that only its gateway event contains. */
export type ResumedMessage = {
  channelId: string;
  messageId: string;
  guildId: string | undefined;
  guildLocale: string | undefined;
  nick: string | undefined;
  roles: readonly string[];
};

/** The encrypted form that the core stores. */
export function writeResume(resume: Resume): MessageReference {
  if (!("interaction" in resume)) {
    const { channelId, messageId, guildId = null, guildLocale = null, nick = null, roles } = resume;
    return { channelId, messageId, guildId, guildLocale, nick, roles: roles.join(" ") };
  }
  return { interaction: JSON.stringify(removeUnusedFields(resume.interaction)), isPrivate: resume.isPrivate };
}

/** Reads the output of `writeResume`; undefined for anything else. */
export function readResume(saved: MessageReference): Resume | undefined {
  const { interaction, isPrivate, channelId, messageId } = saved;
  if (typeof interaction === "string") {
    return { interaction: JSON.parse(interaction) as APIInteraction, isPrivate: isPrivate === true };
  }
  if (typeof channelId !== "string" || typeof messageId !== "string") return undefined;
  const read = (name: string) => (typeof saved[name] === "string" ? saved[name] : undefined);
  return {
    channelId,
    messageId,
    guildId: read("guildId"),
    guildLocale: read("guildLocale"),
    nick: read("nick"),
    roles: read("roles")?.split(" ").filter(Boolean) ?? [],
  };
}

/** The reference that the core stores of a sent message. */
export function toReference(sent: Sent): MessageReference | undefined {
  return sent === undefined ? undefined : { channelId: sent.channelId, messageId: sent.messageId };
}

/** Reads the output of `toReference`. */
export function readSent({ channelId, messageId }: MessageReference = {}): Sent {
  return typeof channelId === "string" && typeof messageId === "string"
    ? { channelId, messageId }
    : undefined;
}

/** Removes fields that the reply does not need, above all the message of a button. */
function removeUnusedFields(interaction: APIInteraction): object {
  const { message, member, guild, entitlements, ...rest } = interaction;
  return {
    ...rest,
    ...(member === undefined ? {} : { member: pickMember(member) }),
    ...(message === undefined ? {} : { message: { id: message.id, flags: message.flags } }),
  };
}

function pickMember({ nick, permissions, user, roles }: NonNullable<APIInteraction["member"]>): object {
  return { nick, permissions, user, roles };
}
