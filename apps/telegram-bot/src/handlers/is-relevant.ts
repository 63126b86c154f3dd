import type { Message, Update, UserFromGetMe } from "grammy/types";
import { findFile } from "../images/find-files.ts";
import { readCorrection } from "./read-correction.ts";
import { readText } from "./read-text.ts";
import { readRequester } from "./requester.ts";

/** The update types that the bot requests from Telegram. */
export const allowedUpdates = [
  ...(["message", "channel_post", "edited_message"] as const),
  ...(["callback_query", "inline_query", "guest_message"] as const),
] as const;

type Bot = Pick<UserFromGetMe, "id" | "username">;

/** A stable name of an update across repeated deliveries; undefined for ignored updates. */
export function nameRequest(
  update: Update,
  bot: Bot,
  hasLeakedKey: (text: string) => boolean,
): string | undefined {
  const { message, edited_message: edited, callback_query: callbackQuery, guest_message: guest } = update;
  if (callbackQuery !== undefined) return `c:${callbackQuery.id}`;
  if (guest?.guest_query_id !== undefined) return `q:${guest.guest_query_id}`;
  const hasKey = (one: Message) => hasLeakedKey(one.text ?? one.caption ?? "");
  if (edited !== undefined) {
    if (readRequester(edited) === undefined || isOwnWork(edited, bot)) return undefined;
    // Each edit can add another key.
    return hasKey(edited) ? `e:${nameMessage(edited)}:${edited.edit_date}` : undefined;
  }
  if (message === undefined || readRequester(message) === undefined || isOwnWork(message, bot))
    return undefined;
  const isAdded = message.new_chat_members?.some(({ id }) => id === bot.id) === true;
  if (isAdded || message.migrate_to_chat_id !== undefined) return `m:${nameMessage(message)}`;
  if (hasKey(message) || isMeant(message, bot)) return `m:${nameMessage(message)}`;
  // Another message of the album can mention the bot.
  const isPart = message.media_group_id !== undefined && findFile(message) !== undefined;
  return isPart ? `m:${nameMessage(message)}` : undefined;
}

/**
 * True if a message is for the bot: every private one; in groups a command, a mention, or a reply to the bot.
 */
export function isMeant(message: Message, bot: Bot): boolean {
  if (!hasContent(message)) return false;
  const text = readText(message, bot);
  if (text.isForOther) return false;
  if (message.chat.type === "private") return true;
  // A forwarded message was written for another chat.
  if (message.forward_origin !== undefined) return false;
  if (text.command !== undefined) return knownCommands.has(text.command);
  if (text.isMention || readCorrection(message, bot) !== undefined) return true;
  const isReply = message.reply_to_message?.from?.id === bot.id;
  return isReply && (findFile(message) !== undefined || text.address !== undefined);
}

/**
 * True if a group's message has an image but is not for the bot: it is searched only where managers chose it.
 * A sticker is a reaction; other bots write messages "via" themselves.
 */
export function isUnaddressedImage(message: Message, bot: Bot): boolean {
  const { chat, sticker, via_bot: via } = message;
  if (chat.type === "private" || sticker !== undefined || via !== undefined) return false;
  if (findFile(message) === undefined || readRequester(message) === undefined) return false;
  return !readText(message, bot).isForOther && !isMeant(message, bot);
}

/** The commands of the bot. */
export const commandNames = [
  ...(["find", "anime", "rankings", "top", "recent", "history", "credits", "link", "unlink"] as const),
  ...(["settings", "lang", "help", "privacy", "forget"] as const),
] as const;
const knownCommands = new Set<string>([...commandNames, "start"]);

/** A message with content of a user, not a service message. */
function hasContent(message: Message): boolean {
  const isText = message.text !== undefined || message.caption !== undefined;
  return isText || isFile(message) || isHidden(message) || isOther(message);
}

/** Content that has no image and no text, which in private gets the hint about what to send. */
function isOther({ location, contact, poll, dice, checklist }: Message): boolean {
  return [location, contact, poll, dice, checklist].some((one) => one !== undefined);
}

/**
 * Content that Telegram does not show to bots: a story, unpaid media, an animated sticker without a
 * thumbnail.
 */
export function isHidden(message: Message): boolean {
  const { sticker, paid_media: paid, story } = message;
  return [sticker, paid, story].some((one) => one !== undefined) && findFile(message) === undefined;
}

function isFile(message: Message): boolean {
  return findFile(message) !== undefined || message.voice !== undefined || message.audio !== undefined;
}

/** A message that a user sent through the bot's inline mode. */
function isOwnWork({ via_bot: via }: Message, bot: Bot): boolean {
  return via?.id === bot.id;
}

/** Identifies a message among all chats. */
export function nameMessage({ chat, message_id: id }: Message): string {
  return `${chat.id}:${id}`;
}
