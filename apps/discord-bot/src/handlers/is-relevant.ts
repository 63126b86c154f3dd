import { type APIMessage, MessageType } from "discord.js";
import type { Surroundings } from "../discord/gateway.ts";
import { findAddress, findImages } from "../images/find-images.ts";
import type { GuildFields } from "./requester.ts";

/** A message of a gateway event or of a request. */
export type IncomingMessage = APIMessage & GuildFields;

/** Messages of other bots, webhooks, the bot itself and Discord are ignored. */
export function isFromPerson(message: IncomingMessage): boolean {
  if (message.author === undefined || message.content === undefined) return false;
  if (message.author.bot === true || message.author.system === true) return false;
  if (message.webhook_id !== undefined) return false;
  return message.type === MessageType.Default || message.type === MessageType.Reply;
}

/** True if the message is direct, mentions the bot or its role, or replies to the bot with an image. */
export function isForBot(message: IncomingMessage, { botId, findBotRole }: Surroundings): boolean {
  const { guild_id: guildId, content, mention_roles: roles = [], referenced_message: replied } = message;
  if (guildId === undefined || new RegExp(`<@!?${botId}>`).test(content)) return true;
  const botRole = findBotRole(guildId);
  if (botRole !== undefined && roles.includes(botRole)) return true;
  // A sticker in a reply is a reaction to the result.
  return replied?.author.id === botId && hasOwnImage(message);
}

/** True if the message itself has an image; a sticker is a reaction. */
export function hasOwnImage(message: IncomingMessage): boolean {
  return findImages({ ...message, sticker_items: [] }).length > 0;
}

/** True for a direct message that has and names no image. */
export function isSmallTalk(message: IncomingMessage): boolean {
  const { guild_id: guildId, content, message_reference: reference } = message;
  if (guildId !== undefined || reference !== undefined) return false;
  return findImages(message).length === 0 && findAddress(content) === undefined;
}
